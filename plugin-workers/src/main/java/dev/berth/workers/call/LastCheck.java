package dev.berth.workers.call;

import dev.berth.records.NotSentReason;
import dev.berth.workers.time.Moment;
import dev.berth.workers.time.TimeAllowed;
import java.time.Duration;
import java.util.Optional;

/**
 * The check right before the bytes leave: past the time allowed, the lane may be somebody else's.
 *
 * <p>Nothing can close the gap between this check and the send. A process that is stopped exactly
 * there may send late. Its gRPC deadline began before the check, by the monotonic clock: gRPC looks
 * at it when it begins the call and makes none that is past it, unless that clock stood still as
 * well. What is stopped after that look is told to {@link LateSends}.
 */
public final class LastCheck {

  private LastCheck() {}

  /**
   * Returns why the call may not be sent, or empty when it may.
   *
   * @param time time allowed for the attempt
   * @param now this moment
   */
  public static Optional<CallResult.NotSent> refusal(TimeAllowed time, Moment now) {
    Duration left = time.left(now);
    if (left.compareTo(Duration.ZERO) > 0) {
      return Optional.empty();
    }
    return Optional.of(
        new CallResult.NotSent(
            NotSentReason.TIME_PASSED,
            "the %d ms allowed passed %d ms before the call could be sent"
                .formatted(time.length().toMillis(), left.negated().toMillis())));
  }

  /**
   * Returns how late a call was sent, or empty when it was in time.
   *
   * @param time time allowed for the attempt
   * @param sent when the call was sent
   */
  public static Optional<Duration> lateness(TimeAllowed time, Moment sent) {
    Duration late = time.left(sent).negated();
    return late.isNegative() ? Optional.empty() : Optional.of(late);
  }
}
