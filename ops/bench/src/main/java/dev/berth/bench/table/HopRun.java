package dev.berth.bench.table;

import java.time.Duration;

/**
 * What one batch found.
 *
 * @param times its times
 * @param bytes what it left in topics and changelogs (bytes)
 */
record HopRun(FullSpeed.Times times, long bytes) {
  /** Claim and end events in a second. */
  double rate() {
    return times.rate();
  }

  /** Claims in a second, until all were granted. */
  double claimRate() {
    return perSecond(times.lives(), times.claims());
  }

  /** Ends in a second, until all were released. */
  double endRate() {
    return perSecond(times.lives(), times.ends());
  }

  /** What each event left in topics and changelogs (bytes). */
  double bytesPerEvent() {
    return (double) bytes / (times.lives() * Events.OF_A_LIFE);
  }

  private static double perSecond(int count, Duration time) {
    return count / (time.toNanos() / 1e9);
  }
}
