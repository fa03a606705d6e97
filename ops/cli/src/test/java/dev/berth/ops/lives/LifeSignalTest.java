package dev.berth.ops.lives;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LifeSignalTest {

  @Test
  @DisplayName("a signal is what its line says")
  void roundTrip() {
    LifeSignal step = new LifeSignal.Step("replaying a trace", 7_255);
    LifeSignal at = new LifeSignal.Progressed(12);
    assertThat(LifeSignal.parse(step.line())).isEqualTo(Optional.of(step));
    assertThat(LifeSignal.parse(at.line())).isEqualTo(Optional.of(at));
  }

  @Test
  @DisplayName("other lines are for people")
  void others() {
    assertThat(LifeSignal.parse("berth: no such file")).isEqualTo(Optional.empty());
    assertThat(LifeSignal.parse("@life at many")).isEqualTo(Optional.empty());
  }
}
