package dev.berth.streams.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Notices that the wall clock was set. Times in the stores are those of the wall clock, for they
 * outlive the process; how long a call may still be open is a duration, and one across a setting of
 * the clock is any number.
 */
@FunctionalInterface
public interface ClockWatch {
  /**
   * How far the wall clock may wander from the monotonic one unnoticed: well below the margin that
   * a lane adds to the time of a call, well above what a clock that is slewed gains in hours.
   */
  Duration TOLERATED = Duration.ofSeconds(1);

  /**
   * Whether the clock was set since this was last asked. The first question only takes the
   * bearings.
   *
   * @param now what the wall clock says now
   */
  boolean wasSet(Instant now);

  /** A watch for a time that is made by whoever asks, and so is never wrong. */
  static ClockWatch none() {
    return now -> false;
  }

  /**
   * A watch that compares with a monotonic clock. Used by one thread.
   *
   * @param nanos the monotonic clock, of any origin (ns)
   */
  static ClockWatch against(LongSupplier nanos) {
    return new ClockWatch() {
      private boolean begun;
      private long nanosThen;
      private Instant wallThen = Instant.EPOCH;

      @Override
      public boolean wasSet(Instant now) {
        long nanosNow = nanos.getAsLong();
        Duration gained = Duration.between(wallThen, now).minusNanos(nanosNow - nanosThen).abs();
        boolean set = begun && gained.compareTo(TOLERATED) > 0;
        if (set || !begun) {
          begun = true;
          nanosThen = nanosNow;
          wallThen = now;
        }
        return set;
      }
    };
  }
}
