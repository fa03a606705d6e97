package dev.berth.ops.lives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KillScheduleTest {

  @Test
  @DisplayName("the same seed gives the same schedule, another seed another one")
  void deterministic() {
    assertThat(KillSchedule.of(5, 1)).isEqualTo(KillSchedule.of(5, 1));
    assertThat(KillSchedule.of(5, 1)).isNotEqualTo(KillSchedule.of(5, 2));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @DisplayName("the first kill falls into the work, and kills by progress go forward")
  void forward(long seed) {
    List<KillPoint> points = KillSchedule.of(20, seed).points();
    assertThat(points).hasSize(20);
    assertThat(points.get(0)).isInstanceOf(KillPoint.AtProgress.class);
    List<Double> shares =
        points.stream()
            .filter(KillPoint.AtProgress.class::isInstance)
            .map(point -> ((KillPoint.AtProgress) point).share())
            .toList();
    assertThat(shares).isSorted().allMatch(share -> share >= 0.05 && share < 0.9);
  }

  @Test
  @DisplayName("some kills fall into starts")
  void starts() {
    List<Duration> ages =
        LongStream.range(0, 30)
            .boxed()
            .flatMap(seed -> KillSchedule.of(5, seed).points().stream())
            .filter(KillPoint.AtAge.class::isInstance)
            .map(point -> ((KillPoint.AtAge) point).age())
            .toList();
    assertThat(ages).hasSizeBetween(20, 60);
    assertThat(ages).anyMatch(age -> age.compareTo(Duration.ofSeconds(3)) < 0);
    assertThat(ages).anyMatch(age -> age.compareTo(Duration.ofSeconds(9)) > 0);
  }

  @Test
  @DisplayName("a number that is out of range is refused with the range")
  void outOfRange() {
    assertThatThrownBy(() -> KillSchedule.of(0, 1)).hasMessage("kills 0: give 1 to 50");
    assertThatThrownBy(() -> KillSchedule.of(51, 1)).hasMessage("kills 51: give 1 to 50");
  }
}
