package dev.berth.driver.script;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 250ms}, {@code 2s}, {@code 5m}. */
final class DurationText {

  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(us|ms|s|m)");

  private DurationText() {}

  static boolean isDuration(String text) {
    return FORM.matcher(text).matches();
  }

  static Duration parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a duration; write a number and us, ms, s or m, as in 250ms".formatted(text));
    }
    long value = Long.parseLong(form.group(1));
    return switch (form.group(2)) {
      case "us" -> Duration.ofNanos(value * 1_000);
      case "ms" -> Duration.ofMillis(value);
      case "s" -> Duration.ofSeconds(value);
      default -> Duration.ofMinutes(value);
    };
  }
}
