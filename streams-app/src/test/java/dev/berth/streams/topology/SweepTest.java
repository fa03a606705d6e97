package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.streams.claims.ClaimsEvent;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A sweep that begins anew before it is through")
class SweepTest {

  @Test
  @DisplayName("stays the look after a start when policies arrive")
  void startUp() {
    Sweep startUp = Sweep.begin(ClaimsEvent.Look.START_UP, false).onFrom("default/v7");

    assertThat(startUp.again("policies", false))
        .isEqualTo(Sweep.begin(ClaimsEvent.Look.START_UP, false));
  }

  @Test
  @DisplayName("becomes a collection, which looks for more")
  void collection() {
    assertThat(
            Sweep.begin(ClaimsEvent.Look.START_UP, false)
                .again(ClaimsEvent.Look.COLLECTION, false)
                .again(ClaimsEvent.Look.START_UP, false))
        .isEqualTo(Sweep.begin(ClaimsEvent.Look.COLLECTION, false));
  }

  @Test
  @DisplayName("goes on to ignore the thresholds as an operator asked")
  void thresholds() {
    assertThat(Sweep.begin(ClaimsEvent.Look.COLLECTION, true).again("policies", false))
        .isEqualTo(Sweep.begin(ClaimsEvent.Look.COLLECTION, true));
  }
}
