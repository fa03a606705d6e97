package dev.berth.workers.time;

import java.time.Duration;
import java.time.Instant;

/**
 * One reading of both clocks of a process.
 *
 * @param nanos monotonic clock, of any origin (ns)
 * @param wall wall clock
 */
public record Moment(long nanos, Instant wall) {

  /**
   * Returns the time since an earlier moment: the larger of what the two clocks say. The monotonic
   * clock stands still while the machine is suspended, the wall clock can be set back; the one that
   * failed is the one that shows less.
   */
  public Duration since(Moment earlier) {
    Duration monotonic = Duration.ofNanos(nanos - earlier.nanos);
    Duration wallClock = Duration.between(earlier.wall, wall);
    return monotonic.compareTo(wallClock) >= 0 ? monotonic : wallClock;
  }
}
