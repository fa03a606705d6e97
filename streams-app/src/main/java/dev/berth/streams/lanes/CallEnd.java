package dev.berth.streams.lanes;

import dev.berth.records.CallFate;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a call that is over.
 *
 * @param fate whether it was sent, reached the plugin, was answered
 * @param notSent why it was not sent; NONE when it was
 * @param code gRPC code; OK only for an answered call that succeeded
 * @param message the plugin's words, or the worker's, secrets redacted; empty when OK
 * @param publishContext publish_context of an attach; empty otherwise
 * @param startedAt when it started, by the worker's clock
 * @param endedAt when it ended, by the worker's clock
 * @param attaches a detach answered UNIMPLEMENTED: whether the plugin, asked right after it,
 *     advertises attach and detach; null when it did not say
 */
public record CallEnd(
    CallFate fate,
    NotSentReason notSent,
    RpcCode code,
    String message,
    Map<String, String> publishContext,
    Instant startedAt,
    Instant endedAt,
    @Nullable Boolean attaches) {

  /** Longest time a call is believed to have taken; guards the means against broken clocks. */
  static final Duration LONGEST = Duration.ofDays(1);

  /**
   * Of several ends of one attempt the most telling: an OK settles it, a call without an answer
   * says more than an error, and an error more than a call that was never made.
   */
  static final Comparator<CallEnd> MOST_TELLING =
      Comparator.comparingInt(
          end ->
              switch (end.fate()) {
                case ANSWERED -> end.code() == RpcCode.OK ? 0 : 2;
                case UNANSWERED -> 1;
                case UNREACHED -> 3;
                case NOT_SENT -> 4;
              });

  /**
   * Keeps a copy, and corrects what contradicts itself: without an answer nothing is OK (the worst
   * reading is kept).
   */
  public CallEnd {
    publishContext = Map.copyOf(publishContext);
    if (code == RpcCode.OK && fate != CallFate.ANSWERED) {
      code = fate == CallFate.UNANSWERED ? RpcCode.UNKNOWN : RpcCode.UNAVAILABLE;
    }
  }

  /** The end of a call after which the plugin was not asked for its capabilities. */
  public CallEnd(
      CallFate fate,
      NotSentReason notSent,
      RpcCode code,
      String message,
      Map<String, String> publishContext,
      Instant startedAt,
      Instant endedAt) {
    this(fate, notSent, code, message, publishContext, startedAt, endedAt, null);
  }

  /**
   * The end of a call of which nothing was heard within its time and the margin; it counts as
   * DEADLINE_EXCEEDED (gRPC status codes: the operation may have completed all the same).
   */
  static CallEnd unheard(String worker, Instant acceptedAt, Instant now) {
    return new CallEnd(
        CallFate.UNANSWERED,
        NotSentReason.NONE,
        RpcCode.DEADLINE_EXCEEDED,
        "no outcome from worker " + worker + " within the time allowed and the margin",
        Map.of(),
        acceptedAt,
        now);
  }

  /**
   * The end of a call that was meant for its node as it was before, when nobody is known to have
   * accepted it. It is not certain that nobody did.
   */
  static CallEnd outdated(Work work, Instant since, Instant now) {
    return new CallEnd(
        CallFate.UNANSWERED,
        NotSentReason.NONE,
        RpcCode.DEADLINE_EXCEEDED,
        "nobody has accepted it, and incarnation %d of node %s, which it was meant for, is over"
            .formatted(work.nodeIncarnation(), work.instanceNode()),
        Map.of(),
        since,
        now);
  }

  /** Whether the plugin may have seen the call. */
  boolean sent() {
    return fate == CallFate.ANSWERED || fate == CallFate.UNANSWERED;
  }

  /** Whether its run stopped before it, so that nothing is known against it. */
  boolean notGotTo() {
    return fate == CallFate.NOT_SENT && notSent == NotSentReason.RUN_STOPPED;
  }

  /** Whether it was not made for a reason that is not its own: others would not get through too. */
  boolean notGotThrough() {
    return fate == CallFate.UNREACHED
        || (fate == CallFate.NOT_SENT
            && switch (notSent) {
              case TIME_PASSED, NO_PLUGIN, SHUTDOWN, INCARNATION, NONE -> true;
              case RUN_STOPPED, SECRET_UNAVAILABLE, INVALID -> false;
            });
  }

  /** How long it took; never negative. */
  Duration took() {
    Duration took = Duration.between(startedAt, endedAt);
    return took.isNegative() ? Duration.ZERO : took.compareTo(LONGEST) > 0 ? LONGEST : took;
  }
}
