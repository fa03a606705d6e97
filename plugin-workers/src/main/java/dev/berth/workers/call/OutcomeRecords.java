package dev.berth.workers.call;

import dev.berth.records.CallFate;
import dev.berth.records.NotSentReason;
import dev.berth.records.Outcome;
import dev.berth.records.RpcCode;
import dev.berth.workers.accept.Accepted;
import java.time.Instant;

/** Writes out what became of a call. */
public final class OutcomeRecords {

  private OutcomeRecords() {}

  /**
   * Returns the outcome of one call.
   *
   * @param accepted the attempt
   * @param index which of its calls (0 is the first)
   * @param result what became of it
   * @param started when the call started
   * @param ended when it ended
   */
  public static Outcome of(
      Accepted accepted, int index, CallResult result, Instant started, Instant ended) {
    Outcome.Builder outcome =
        Outcome.newBuilder()
            .setAttemptId(accepted.work().getAttemptId())
            .setAcceptanceId(accepted.acceptance().getAcceptanceId())
            .setRequestId(accepted.work().getCalls().get(index).getRequestId())
            .setCallIndex(index)
            .setPlugin(accepted.work().getPlugin())
            .setWorker(accepted.acceptance().getWorker())
            .setNotSent(NotSentReason.NONE)
            .setStartedAt(started)
            .setEndedAt(ended);
    if (result instanceof CallResult.NotSent notSent) {
      outcome
          .setFate(CallFate.NOT_SENT)
          .setNotSent(notSent.reason())
          .setCode(codeOf(notSent.reason()))
          .setMessage(notSent.message());
    } else if (result instanceof CallResult.Unreached unreached) {
      outcome
          .setFate(CallFate.UNREACHED)
          .setCode(RpcCode.UNAVAILABLE)
          .setMessage(unreached.message());
    } else if (result instanceof CallResult.Answered answered) {
      outcome
          .setFate(CallFate.ANSWERED)
          .setCode(answered.code())
          .setMessage(answered.message())
          .setPublishContext(answered.publishContext())
          .setAttaches(answered.attaches().orElse(null));
    } else if (result instanceof CallResult.Unanswered unanswered) {
      outcome
          .setFate(CallFate.UNANSWERED)
          .setCode(unanswered.code())
          .setMessage(unanswered.message());
    }
    return outcome.build();
  }

  /** The code that a plugin would have answered; for those who look at codes only. */
  private static RpcCode codeOf(NotSentReason reason) {
    return switch (reason) {
      case TIME_PASSED -> RpcCode.DEADLINE_EXCEEDED;
      case RUN_STOPPED -> RpcCode.ABORTED;
      case SECRET_UNAVAILABLE, INCARNATION -> RpcCode.FAILED_PRECONDITION;
      case NO_PLUGIN, SHUTDOWN -> RpcCode.UNAVAILABLE;
      case INVALID -> RpcCode.INVALID_ARGUMENT;
      case NONE -> throw new IllegalArgumentException("a call not sent has a reason");
    };
  }
}
