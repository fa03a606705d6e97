package dev.berth.ops.scenario;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as scenarios write them: {@code 8s}, {@code 2m}, {@code 23h}, {@code 500ms}. */
final class Durations {
  /** How to write one, for messages. */
  static final String FORM = "8s, 2m, 1h30m or 500ms";

  private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  private Durations() {}

  /** A duration that the grammar has found to be one. */
  static Duration parse(Value value) {
    return find(value.asText())
        .orElseThrow(
            () -> value.place().problem("'" + value.asText() + "' is no duration: write " + FORM));
  }

  /** A duration; empty when the text is none. */
  static Optional<Duration> find(String text) {
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
    return end != text.length() || end == 0 ? Optional.empty() : Optional.of(sum);
  }

  /** A time since the begin: {@code +12.3s}, {@code +1h5m0.5s}. */
  static String since(Duration duration) {
    StringBuilder text = new StringBuilder("+");
    if (duration.toHours() > 0) {
      text.append(duration.toHours()).append('h');
    }
    if (duration.toMinutes() >= 2) {
      text.append(duration.toMinutesPart()).append('m');
    }
    long millis = duration.toMinutes() >= 2 ? duration.toMillis() % 60_000 : duration.toMillis();
    text.append(millis / 1_000);
    if (millis % 1_000 > 0) {
      text.append('.').append("%03d".formatted(millis % 1_000).replaceAll("0+$", ""));
    }
    return text.append('s').toString();
  }
}
