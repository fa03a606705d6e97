package dev.berth.ops.lives;

import java.time.Instant;
import java.util.Optional;

/**
 * One process of a run that was killed and started again.
 *
 * @param startedAt when its process was started
 * @param killed how it ended; empty when it came to its end by itself, or has not ended
 */
public record Life(Instant startedAt, Optional<Kill> killed) {

  /**
   * A kill.
   *
   * @param at when
   * @param during what it was doing, in its own words
   * @param done parts of that which were done (count)
   * @param total parts that it had (count); 0 when nobody knows
   */
  public record Kill(Instant at, String during, int done, int total) {

    /** What it was doing, and how much of it was done where that is known. */
    public String doing() {
      return total == 0 ? during : "%s, %d of %d done".formatted(during, done, total);
    }
  }
}
