package dev.berth.ops.view;

import com.google.protobuf.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times for people, told from a moment. */
public final class Moments {
  private static final int SHORT = 120;
  private static final int HOURS = 48;

  private final Instant now;

  /** Tells times from this one. */
  public Moments(Instant now) {
    this.now = now;
  }

  static Instant instant(Timestamp at) {
    return Instant.ofEpochSecond(at.getSeconds(), at.getNanos());
  }

  static Duration duration(com.google.protobuf.Duration duration) {
    return Duration.ofSeconds(duration.getSeconds(), duration.getNanos());
  }

  /** A length in one unit: {@code 45s}, {@code 12m}, {@code 30h}, {@code 9d}. */
  public static String length(Duration duration) {
    long seconds = Math.max(0, duration.toSeconds());
    long minutes = seconds / 60;
    if (seconds < SHORT) {
      return seconds + "s";
    }
    if (minutes < SHORT) {
      return minutes + "m";
    }
    return minutes / 60 < HOURS ? minutes / 60 + "h" : minutes / (24 * 60) + "d";
  }

  /** How old something is: {@code 12m}. */
  String age(Timestamp at) {
    return length(Duration.between(instant(at), now));
  }

  /** How long ago something was: {@code 12m ago}. */
  String ago(Timestamp at) {
    return age(at) + " ago";
  }

  /** When something will be: {@code in 3m}, or {@code now} when its time has come. */
  String in(Timestamp at) {
    Duration left = Duration.between(now, instant(at));
    return left.toMillis() <= 0 ? "now" : "in " + length(left);
  }

  /** A moment and how long ago it was: {@code 2026-03-01T10:15:00Z (12m ago)}. */
  String since(Timestamp at) {
    return "%s (%s)".formatted(instant(at).truncatedTo(ChronoUnit.SECONDS), ago(at));
  }
}
