package dev.berth.workers.call;

import dev.berth.records.NotSentReason;
import dev.berth.workers.time.Moment;
import java.time.Duration;
import java.util.Optional;

/**
 * How far a run of calls may go. It stops at the first call without an answer (what that call did
 * is unknown, so the next one in the lane must wait), and when its second is used up (so that a
 * decision which comes meanwhile waits no longer than that). The first call is bound by neither.
 *
 * @param began when the run began
 * @param stoppedBy why no further call is made; empty while the run goes on
 */
public record RunProgress(Moment began, Optional<String> stoppedBy) {

  /** How long after its beginning a run may start further calls. */
  public static final Duration LONGEST = Duration.ofSeconds(1);

  /** Returns a run that begins now. */
  public static RunProgress begin(Moment now) {
    return new RunProgress(now, Optional.empty());
  }

  /**
   * Returns why a call may not be made, or empty when it may.
   *
   * @param index which call of the run (0 is the first)
   * @param now the moment before the call
   */
  public Optional<CallResult.NotSent> refusal(int index, Moment now) {
    if (stoppedBy.isPresent()) {
      return stopped(stoppedBy.get());
    }
    if (index > 0 && now.since(began).compareTo(LONGEST) >= 0) {
      return stopped("the run has used up its " + LONGEST.toMillis() + " ms");
    }
    return Optional.empty();
  }

  /**
   * Returns the run after a call of it.
   *
   * @param index which call it was
   * @param result what became of it
   */
  public RunProgress after(int index, CallResult result) {
    return stoppedBy.isPresent() || goesOn(result)
        ? this
        : new RunProgress(began, Optional.of("call " + index + " of the run got no answer"));
  }

  /**
   * A call refused for a reason of its own says nothing about the others; one that time or a
   * shutdown kept back is followed by others that are kept back likewise.
   */
  private static boolean goesOn(CallResult result) {
    return result.isAnswered() || result instanceof CallResult.NotSent;
  }

  private static Optional<CallResult.NotSent> stopped(String why) {
    return Optional.of(new CallResult.NotSent(NotSentReason.RUN_STOPPED, why));
  }
}
