package dev.berth.ops.browser;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Counts the tokens that were none, so that nobody tries many. Everybody on the machine shares the
 * count: it is the machine's own users who reach the door. Safe for use by many threads.
 */
final class WrongTokens {
  private final int most;
  private final Duration within;
  private final InstantSource clock;
  private final Deque<Instant> seen = new ArrayDeque<>();

  /**
   * Prepares.
   *
   * @param most so many may be wrong (count)
   * @param within in so much time
   */
  WrongTokens(int most, Duration within, InstantSource clock) {
    this.most = most;
    this.within = within;
    this.clock = clock;
  }

  /** How long nobody may try; empty when one may. */
  synchronized Optional<Duration> closedFor() {
    Instant now = clock.instant();
    while (!seen.isEmpty() && !seen.getFirst().plus(within).isAfter(now)) {
      seen.removeFirst();
    }
    return seen.size() < most
        ? Optional.empty()
        : Optional.of(Duration.between(now, seen.getFirst().plus(within)));
  }

  /** One was wrong. */
  synchronized void add() {
    seen.addLast(clock.instant());
  }
}
