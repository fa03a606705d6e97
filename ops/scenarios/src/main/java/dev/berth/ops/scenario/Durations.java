package dev.berth.ops.scenario;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as scenarios write them: {@code 8s}, {@code 2m}, {@code 23h}, {@code 500ms}. */
final class Durations {
  private static final Pattern PART = Pattern.compile("(\\d+)(ms|s|m|h|d)");

  private Durations() {}

  static Duration parse(Value value) {
    String text = value.asText();
    Matcher part = PART.matcher(text);
    Duration sum = Duration.ZERO;
    int end = 0;
    while (part.find() && part.start() == end) {
      long count = Long.parseLong(part.group(1));
      sum =
          sum.plus(
              switch (part.group(2)) {
                case "ms" -> Duration.ofMillis(count);
                case "s" -> Duration.ofSeconds(count);
                case "m" -> Duration.ofMinutes(count);
                case "h" -> Duration.ofHours(count);
                default -> Duration.ofDays(count);
              });
      end = part.end();
    }
    if (end != text.length() || end == 0) {
      throw value.place().problem("'" + text + "' is no duration: write 8s, 2m, 1h30m or 500ms");
    }
    return sum;
  }
}
