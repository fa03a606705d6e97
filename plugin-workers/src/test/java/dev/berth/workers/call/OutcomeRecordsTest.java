package dev.berth.workers.call;

import static dev.berth.workers.WorkFixtures.NOON;
import static dev.berth.workers.WorkFixtures.accepted;
import static dev.berth.workers.WorkFixtures.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.records.CallFate;
import dev.berth.records.NotSentReason;
import dev.berth.records.Outcome;
import dev.berth.records.RpcCode;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OutcomeRecordsTest {

  private static final Instant LATER = NOON.plusMillis(1_500);

  @Test
  void anAnswerIsReportedWithItsContext() {
    assertThat(of(new CallResult.Answered(RpcCode.OK, "", Map.of("device", "/dev/xvdf"))))
        .isEqualTo(
            expected()
                .setFate(CallFate.ANSWERED)
                .setCode(RpcCode.OK)
                .setPublishContext(Map.of("device", "/dev/xvdf"))
                .build());
  }

  @Test
  void anErrorOfThePluginIsReportedInItsWords() {
    assertThat(of(new CallResult.Answered(RpcCode.ABORTED, "operation pending", Map.of())))
        .isEqualTo(
            expected()
                .setFate(CallFate.ANSWERED)
                .setCode(RpcCode.ABORTED)
                .setMessage("operation pending")
                .build());
  }

  @Test
  void aCallWithoutAnswerMayHaveBeenCarriedOut() {
    assertThat(of(new CallResult.Unanswered(RpcCode.DEADLINE_EXCEEDED, "deadline")))
        .isEqualTo(
            expected()
                .setFate(CallFate.UNANSWERED)
                .setCode(RpcCode.DEADLINE_EXCEEDED)
                .setMessage("deadline")
                .build());
  }

  @Test
  void aCallThatFoundNoConnectionIsUnreached() {
    assertThat(of(new CallResult.Unreached("refused")))
        .isEqualTo(
            expected()
                .setFate(CallFate.UNREACHED)
                .setCode(RpcCode.UNAVAILABLE)
                .setMessage("refused")
                .build());
  }

  static Stream<Arguments> codesOfCallsNotSent() {
    return Stream.of(
        Arguments.of(NotSentReason.TIME_PASSED, RpcCode.DEADLINE_EXCEEDED),
        Arguments.of(NotSentReason.RUN_STOPPED, RpcCode.ABORTED),
        Arguments.of(NotSentReason.SECRET_UNAVAILABLE, RpcCode.FAILED_PRECONDITION),
        Arguments.of(NotSentReason.INCARNATION, RpcCode.FAILED_PRECONDITION),
        Arguments.of(NotSentReason.NO_PLUGIN, RpcCode.UNAVAILABLE),
        Arguments.of(NotSentReason.SHUTDOWN, RpcCode.UNAVAILABLE),
        Arguments.of(NotSentReason.INVALID, RpcCode.INVALID_ARGUMENT));
  }

  @ParameterizedTest
  @MethodSource("codesOfCallsNotSent")
  void aCallNotSentSaysWhy(NotSentReason reason, RpcCode code) {
    assertThat(of(new CallResult.NotSent(reason, "because")))
        .isEqualTo(
            expected()
                .setFate(CallFate.NOT_SENT)
                .setNotSent(reason)
                .setCode(code)
                .setMessage("because")
                .build());
  }

  @Test
  void aCallIsNotKeptBackForNoReason() {
    assertThatThrownBy(() -> of(new CallResult.NotSent(NotSentReason.NONE, "")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Outcome of(CallResult result) {
    return OutcomeRecords.of(accepted(run("t1", 2)), 1, result, NOON, LATER);
  }

  private static Outcome.Builder expected() {
    return Outcome.newBuilder()
        .setAttemptId("t1")
        .setAcceptanceId("x1")
        .setRequestId("r1")
        .setCallIndex(1)
        .setPlugin("ebs")
        .setWorker("w1")
        .setNotSent(NotSentReason.NONE)
        .setStartedAt(NOON)
        .setEndedAt(LATER);
  }
}
