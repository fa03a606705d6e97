package dev.berth.ops.terminal;

import java.time.Duration;
import java.util.Locale;

/** Durations as people read them. */
public final class DurationText {

  private DurationText() {}

  /** Whole seconds, and minutes from two minutes on: {@code 8 s}, {@code 3 min 5 s}. */
  public static String seconds(Duration duration) {
    long seconds = duration.toSeconds();
    return seconds < 120 ? seconds + " s" : "%d min %d s".formatted(seconds / 60, seconds % 60);
  }

  /** As exact as matters: {@code 35 ms}, {@code 2.4 s}, {@code 48 s}, {@code 3 min 5 s}. */
  public static String exact(Duration duration) {
    long millis = duration.toMillis();
    if (millis < 1_000) {
      return millis + " ms";
    }
    if (millis < 10_000) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
    }
    return seconds(duration);
  }
}
