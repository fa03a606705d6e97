package dev.berth.workers.time;

import java.time.Duration;

/**
 * The time within which the calls of an attempt must have ended. The lane's next call may go out
 * once it has passed (plus a margin that Streams adds), so nothing may be sent after it.
 *
 * @param since a moment before the accept transaction began: whatever Streams counts from (the
 *     moment it read the acceptance) is later
 * @param length how long from then
 */
public record TimeAllowed(Moment since, Duration length) {

  /** Returns what is left of it; zero or less when it has passed. */
  public Duration left(Moment now) {
    return length.minus(now.since(since));
  }
}
