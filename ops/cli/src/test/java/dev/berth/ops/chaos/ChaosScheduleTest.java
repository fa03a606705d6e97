package dev.berth.ops.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ChaosScheduleTest {

  private static final Duration LENGTH = Duration.ofMinutes(3);

  @Test
  void theSameSeedGivesTheSameSchedule() {
    assertThat(ChaosSchedule.of(7, LENGTH)).isEqualTo(ChaosSchedule.of(7, LENGTH));
    assertThat(ChaosSchedule.of(7, LENGTH).faults())
        .isNotEqualTo(ChaosSchedule.of(8, LENGTH).faults());
  }

  @Test
  void everyFaultIsOverBeforeTheLoadEnds() {
    assertThat(LongStream.range(0, 200).boxed())
        .flatMap(seed -> ChaosSchedule.of(seed, LENGTH).faults())
        .allMatch(fault -> fault.at().plus(fault.lasts()).compareTo(LENGTH) <= 0);
  }

  @Test
  void someStopsAreLongerThanSessionAndTransaction() {
    assertThat(
            LongStream.range(0, 20)
                .boxed()
                .flatMap(seed -> ChaosSchedule.of(seed, LENGTH).faults().stream())
                .filter(fault -> fault.lasts().compareTo(Duration.ofSeconds(10)) > 0)
                .map(Fault::kind)
                .collect(Collectors.toSet()))
        .containsExactly(Fault.Kind.STOP);
  }

  @Test
  void aLengthWithoutRoomForFaultsIsRefused() {
    assertThatThrownBy(() -> ChaosSchedule.of(1, Duration.ofSeconds(20)))
        .hasMessageContaining("give at least 30 s");
  }
}
