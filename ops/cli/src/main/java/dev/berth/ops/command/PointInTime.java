package dev.berth.ops.command;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times on the command line: {@code 2026-03-01T10:15:00Z}, without a zone as UTC; the last {@code
 * 10:15}, also UTC, as in a log; or how long ago, {@code 1h30m}.
 */
final class PointInTime {
  /** How to write one, for messages. */
  static final String FORM =
      "2026-03-01T10:15:00Z, 10:15 (the last one, UTC), or how long ago: 90s, 30m, 2h, 1d";

  private static final Pattern PART = Pattern.compile("(\\d{1,6})([smhd])");
  private static final Pattern AGO = Pattern.compile("(" + PART.pattern() + ")+");

  private static final Pattern DAYLESS = Pattern.compile("\\d{2}:\\d{2}(:\\d{2})?");

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
      // Records have no finer times.
      return clock.instant().minus(ago).truncatedTo(ChronoUnit.MILLIS);
    }
    try {
      return DAYLESS.matcher(text).matches() ? last(LocalTime.parse(text), clock) : full(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("'" + text + "' is no time: write " + FORM, e);
    }
  }

  private static Instant full(String text) {
    TemporalAccessor time =
        DateTimeFormatter.ISO_DATE_TIME.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
    return time instanceof OffsetDateTime exact
        ? exact.toInstant()
        : ((LocalDateTime) time).toInstant(ZoneOffset.UTC);
  }

  private static Instant last(LocalTime time, Clock clock) {
    Instant now = clock.instant();
    Instant today = now.atZone(ZoneOffset.UTC).toLocalDate().atTime(time).toInstant(ZoneOffset.UTC);
    return today.isAfter(now) ? today.minus(Duration.ofDays(1)) : today;
  }
}
