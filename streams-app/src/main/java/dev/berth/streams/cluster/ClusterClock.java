package dev.berth.streams.cluster;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What {@code Cluster} remembers of time, so that its own absence is not taken for that of others.
 *
 * @param lastTick last time it looked at the clock
 * @param listeningSince since when it has been there without a gap: silence before that is its own
 */
public record ClusterClock(Instant lastTick, Instant listeningSince) {
  private static final Duration GAP = Duration.ofSeconds(30);

  /** The clock after a tick. */
  static ClusterClock tick(@Nullable ClusterClock before, Instant now) {
    if (before == null
        || now.isBefore(before.lastTick)
        || Duration.between(before.lastTick, now).compareTo(GAP) > 0) {
      return new ClusterClock(now, now);
    }
    return new ClusterClock(now, before.listeningSince);
  }

  /**
   * Whether a whole multiple of an interval (counted from the epoch) lies between this tick and
   * {@code now}, so that passes fall on the same times whoever runs them.
   */
  boolean passes(Duration interval, Instant now) {
    return multiple(now, interval) > multiple(lastTick, interval);
  }

  private static long multiple(Instant at, Duration interval) {
    return Math.floorDiv(at.toEpochMilli(), interval.toMillis());
  }
}
