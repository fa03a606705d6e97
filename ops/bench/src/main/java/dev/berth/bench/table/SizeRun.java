package dev.berth.bench.table;

import java.time.Duration;

/**
 * What one start on a table found.
 *
 * @param times times of the batch
 * @param rows rows that were restored (count)
 * @param restored from the start until it ran
 * @param heap what was left of the heap after a collection, once the batch had lived (bytes)
 */
record SizeRun(FullSpeed.Times times, long rows, Duration restored, long heap) {
  /** Claim and end events in a second. */
  double rate() {
    return times.rate();
  }

  /** Rows restored in a second. */
  double restoreRate() {
    return rows / restoreSeconds();
  }

  /** Time of the restore (seconds). */
  double restoreSeconds() {
    return restored.toNanos() / 1e9;
  }

  /** The heap in megabytes. */
  double megabytes() {
    return heap / (double) (1 << 20);
  }
}
