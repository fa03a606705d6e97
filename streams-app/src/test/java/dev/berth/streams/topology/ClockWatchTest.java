package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private long nanos = Long.MAX_VALUE - 5;
  private Instant wall = Instant.parse("2030-01-01T00:00:00Z");
  private final ClockWatch watch = ClockWatch.against(() -> nanos);

  @Test
  void clocksThatGoTogetherAreLeftAlone() {
    assertThat(watch.wasSet(wall)).isFalse();
    pass(HOUR);
    assertThat(watch.wasSet(wall)).isFalse();
  }

  @Test
  void aClockThatIsPutForwardOrBackIsNoticedOnce() {
    assertThat(watch.wasSet(wall)).isFalse();
    wall = wall.plus(HOUR);
    assertThat(watch.wasSet(wall)).isTrue();
    pass(HOUR);
    assertThat(watch.wasSet(wall)).isFalse();
    wall = wall.minus(HOUR);
    assertThat(watch.wasSet(wall)).isTrue();
    assertThat(watch.wasSet(wall)).isFalse();
  }

  @Test
  void smallStepsAreNoticedWhenTheyHaveAddedUp() {
    Duration step = ClockWatch.TOLERATED.dividedBy(2);
    assertThat(watch.wasSet(wall)).isFalse();
    wall = wall.plus(step);
    assertThat(watch.wasSet(wall)).isFalse();
    wall = wall.plus(step);
    assertThat(watch.wasSet(wall)).isFalse();
    wall = wall.plus(step);
    assertThat(watch.wasSet(wall)).isTrue();
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
    wall = wall.plus(time);
  }
}
