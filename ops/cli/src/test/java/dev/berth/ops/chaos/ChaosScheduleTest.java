package dev.berth.ops.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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
                .filter(fault -> fault.kind() != Fault.Kind.ROLL)
                .filter(fault -> fault.lasts().compareTo(Duration.ofSeconds(10)) > 0)
                .map(Fault::kind)
                .collect(Collectors.toSet()))
        .containsExactly(Fault.Kind.STOP);
  }

  @Test
  void everyKindOccursInTheSeedsOfASet() {
    TreeSet<String> kinds =
        set()
            .map(fault -> fault.kind() + " " + kindOfProcess(fault))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(kinds)
        .containsExactly(
            "KILL broker",
            "KILL plugins",
            "KILL streams",
            "KILL worker",
            "RESTART broker",
            "RESTART streams",
            "RESTART worker",
            "ROLL all",
            "STOP streams",
            "STOP worker");
  }

  @Test
  void nothingElseIsStruckDuringARoll() {
    assertThat(LongStream.rangeClosed(1, 30).boxed())
        .allSatisfy(
            seed -> {
              List<Fault> faults = ChaosSchedule.of(seed, LENGTH).faults();
              faults.stream()
                  .filter(fault -> fault.kind() == Fault.Kind.ROLL)
                  .forEach(
                      roll ->
                          assertThat(faults)
                              .filteredOn(fault -> !fault.equals(roll))
                              .noneMatch(
                                  fault ->
                                      fault.at().compareTo(end(roll)) < 0
                                          && roll.at().compareTo(end(fault)) < 0));
            });
  }

  @Test
  void faultsAreInTheOrderOfTheirMoments() {
    assertThat(LongStream.rangeClosed(1, 30).boxed())
        .allSatisfy(
            seed ->
                assertThat(ChaosSchedule.of(seed, LENGTH).faults())
                    .isSortedAccordingTo(Comparator.comparing(Fault::at)));
  }

  /** Whoever changes this changes the version: results are compared by seed and version. */
  @Test
  void theSchedulesOfThisVersionStayAsTheyAre() {
    assertThat(ChaosSchedule.VERSION).isEqualTo(2);
    assertThat(ChaosSchedule.of(12, Duration.ofSeconds(60)).faults().stream().map(Fault::text))
        .containsExactly(
            "   5.2 s  KILL    plugins    2.7 s", "   9.3 s  ROLL    all       40.0 s");
    assertThat(ChaosSchedule.of(9, Duration.ofSeconds(35)).faults().stream().map(Fault::text))
        .containsExactly(
            "   5.1 s  KILL    worker-1   4.0 s",
            "  12.7 s  KILL    broker     1.7 s",
            "  17.7 s  KILL    streams-1  4.7 s");
  }

  @Test
  void aLengthWithoutRoomForFaultsIsRefused() {
    assertThatThrownBy(() -> ChaosSchedule.of(1, Duration.ofSeconds(20)))
        .hasMessageContaining("give at least 30 s");
  }

  private static Stream<Fault> set() {
    return LongStream.rangeClosed(1, 30)
        .boxed()
        .flatMap(seed -> ChaosSchedule.of(seed, LENGTH).faults().stream());
  }

  private static String kindOfProcess(Fault fault) {
    return fault.target().replaceAll("-\\d$", "");
  }

  private static Duration end(Fault fault) {
    return fault.at().plus(fault.lasts());
  }
}
