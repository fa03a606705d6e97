package dev.berth.ops.command;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times on the command line: {@code 2026-03-01T10:15:00Z}, or how long ago, {@code 1h30m}. */
final class PointInTime {
  /** How to write one, for messages. */
  static final String FORM = "2026-03-01T10:15:00Z, or how long ago: 90s, 30m, 2h, 1d";

  private static final Pattern PART = Pattern.compile("(\\d{1,6})([smhd])");
  private static final Pattern AGO = Pattern.compile("(" + PART.pattern() + ")+");

  private PointInTime() {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException saying how to write it when it is none
   */
  static Instant parse(String text, Clock clock) {
    if (AGO.matcher(text).matches()) {
      Duration ago = Duration.ZERO;
      for (Matcher part = PART.matcher(text); part.find(); ) {
        long count = Long.parseLong(part.group(1));
        ago =
            ago.plus(
                switch (part.group(2)) {
                  case "s" -> Duration.ofSeconds(count);
                  case "m" -> Duration.ofMinutes(count);
                  case "h" -> Duration.ofHours(count);
                  default -> Duration.ofDays(count);
                });
      }
      return clock.instant().minus(ago);
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("'" + text + "' is no time: write " + FORM, e);
    }
  }
}
