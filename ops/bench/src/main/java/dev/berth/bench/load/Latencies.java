package dev.berth.bench.load;

import java.time.Duration;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Every latency of a repetition, to three digits, from a microsecond to an hour. Safe for use by
 * many threads.
 */
public final class Latencies {
  private static final long LONGEST_MICROS = Duration.ofHours(1).toMillis() * 1000;
  private static final int DIGITS = 3;

  private final Histogram micros = new ConcurrentHistogram(1, LONGEST_MICROS, DIGITS);

  /** Takes note of one; what is longer than an hour counts as an hour. */
  public void add(Duration latency) {
    long value = latency.toNanos() / 1000;
    micros.recordValue(Math.max(1, Math.min(LONGEST_MICROS, value)));
  }

  /** How many there are (count). */
  public long count() {
    return micros.getTotalCount();
  }

  /**
   * The latency that so many of a hundred do not exceed; zero when there is none.
   *
   * @param percentile 0 to 100
   */
  public Duration percentile(double percentile) {
    return Duration.ofNanos(micros.getValueAtPercentile(percentile) * 1000);
  }

  /** The longest; zero when there is none. */
  public Duration longest() {
    return Duration.ofNanos(micros.getMaxValue() * 1000);
  }
}
