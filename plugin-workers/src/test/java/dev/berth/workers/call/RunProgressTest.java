package dev.berth.workers.call;

import static dev.berth.workers.WorkFixtures.AT_NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.workers.ManualClocks;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RunProgressTest {

  private final ManualClocks clocks = new ManualClocks();
  private final RunProgress run = RunProgress.begin(AT_NOON);

  static Stream<CallResult> resultsAfterWhichARunGoesOn() {
    return Stream.of(
        new CallResult.Answered(RpcCode.OK, "", Map.of()),
        new CallResult.Answered(RpcCode.INTERNAL, "disk on fire", Map.of()),
        new CallResult.NotSent(NotSentReason.SECRET_UNAVAILABLE, "${env:X}: no such key"),
        new CallResult.NotSent(NotSentReason.INVALID, "no node id"));
  }

  @ParameterizedTest
  @MethodSource("resultsAfterWhichARunGoesOn")
  void aRunGoesOnAfter(CallResult result) {
    assertThat(run.after(0, result).refusal(1, clocks.read())).isEmpty();
  }

  static Stream<CallResult> resultsAfterWhichARunStops() {
    return Stream.of(
        new CallResult.Unanswered(RpcCode.DEADLINE_EXCEEDED, "deadline"),
        new CallResult.Unreached("refused"));
  }

  @ParameterizedTest
  @MethodSource("resultsAfterWhichARunStops")
  void aRunStopsAfter(CallResult result) {
    RunProgress after = run.after(1, result);

    assertThat(after.refusal(2, clocks.read()))
        .contains(
            new CallResult.NotSent(NotSentReason.RUN_STOPPED, "call 1 of the run got no answer"));
    assertThat(after.after(2, new CallResult.Answered(RpcCode.OK, "", Map.of()))).isEqualTo(after);
  }

  @Test
  void aRunStartsNoCallWhenItsSecondIsUsedUp() {
    clocks.advance(Duration.ofSeconds(1));

    assertThat(run.refusal(3, clocks.read()))
        .contains(
            new CallResult.NotSent(NotSentReason.RUN_STOPPED, "the run has used up its 1000 ms"));
  }

  @Test
  void aRunStartsCallsUntilItsSecondIsUsedUp() {
    clocks.advance(Duration.ofMillis(999));

    assertThat(run.refusal(3, clocks.read())).isEmpty();
  }

  @Test
  void theFirstCallOfARunIsNotBoundByTheSecond() {
    clocks.advance(Duration.ofSeconds(30));

    assertThat(run.refusal(0, clocks.read())).isEmpty();
  }
}
