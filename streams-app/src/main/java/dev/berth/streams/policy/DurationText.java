package dev.berth.streams.policy;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 2m}, {@code 1h30m}, {@code 10s}, {@code 500ms}. */
public final class DurationText {
  private static final Pattern PARTS =
      Pattern.compile("(?=.)(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

  private DurationText() {}

  /** Reads a duration; empty when the text is none. A plain number is none: it lacks its unit. */
  public static Optional<Duration> parse(String text) {
    Matcher parts = PARTS.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        Duration.ofHours(part(parts, 1))
            .plusMinutes(part(parts, 2))
            .plusSeconds(part(parts, 3))
            .plusMillis(part(parts, 4)));
  }

  /**
   * Writes a duration the way {@link #parse} reads it, without parts that are zero.
   *
   * @param duration not negative; parts of a millisecond are left out
   */
  public static String format(Duration duration) {
    String text =
        part(duration.toHours(), "h")
            + part(duration.toMinutesPart(), "m")
            + part(duration.toSecondsPart(), "s")
            + part(duration.toMillisPart(), "ms");
    return text.isEmpty() ? "0s" : text;
  }

  private static long part(Matcher parts, int group) {
    String digits = parts.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }

  private static String part(long count, String unit) {
    return count == 0 ? "" : count + unit;
  }
}
