package dev.berth.workers.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workers.ManualClocks;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimeAllowedTest {

  private final ManualClocks clocks = new ManualClocks();
  private final TimeAllowed time = new TimeAllowed(clocks.read(), Duration.ofSeconds(10));

  @Test
  void timePassesByBothClocks() {
    clocks.advance(Duration.ofSeconds(4));

    assertThat(time.left(clocks.read())).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void timePassesWhileTheMachineIsSuspended() {
    clocks.advance(Duration.ofSeconds(1));
    clocks.advanceWall(Duration.ofSeconds(30));

    assertThat(time.left(clocks.read())).isEqualTo(Duration.ofSeconds(-21));
  }

  @Test
  void timePassesThoughTheWallClockIsSetBack() {
    clocks.advanceMonotonic(Duration.ofSeconds(4));
    clocks.advanceWall(Duration.ofHours(-1));

    assertThat(time.left(clocks.read())).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void theMonotonicClockMayOverflow() {
    TimeAllowed late =
        new TimeAllowed(new Moment(Long.MAX_VALUE, clocks.read().wall()), Duration.ofSeconds(10));
    Moment now = new Moment(Long.MAX_VALUE + 1_000_000_000L, clocks.read().wall());

    assertThat(late.left(now)).isEqualTo(Duration.ofSeconds(9));
  }
}
