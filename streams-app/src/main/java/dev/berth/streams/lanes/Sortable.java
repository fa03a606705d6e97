package dev.berth.streams.lanes;

import dev.berth.streams.kernel.Digits;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Numbers and times as text that sorts like them, for keys. */
final class Sortable {
  /** End of the times that keys can hold; nothing is ever due later. */
  static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

  private Sortable() {}

  /** A count as 16 digits. */
  static String number(long count) {
    return Digits.of(count, 16);
  }

  /** A time as 16 digits of milliseconds since the epoch. */
  static String time(Instant at) {
    return number(within(at).toEpochMilli());
  }

  /** The nearest time that keys can hold, in whole milliseconds as stores keep them. */
  static Instant within(Instant at) {
    Instant capped = at.isAfter(LAST) ? LAST : at.isBefore(Instant.EPOCH) ? Instant.EPOCH : at;
    return capped.truncatedTo(ChronoUnit.MILLIS);
  }

  /** A later time; never beyond {@link #LAST}, whatever the duration. */
  static Instant plus(Instant at, Duration wait) {
    Instant from = within(at);
    boolean beyond = wait.compareTo(Duration.between(from, LAST)) > 0;
    return beyond ? LAST : within(from.plus(wait));
  }
}
