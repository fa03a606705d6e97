package dev.berth.ops.record;

import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Values in YAML's flow style, one line each. */
final class Flow {
  /** What YAML takes for itself, whoever reads the file. */
  private static final Set<String> MEANT_OTHERWISE =
      Set.of("null", "true", "false", "yes", "no", "on", "off", "y", "n");

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_./@-]*");

  private Flow() {}

  /** A map, a collection, or a single value; durations as scenarios write them. */
  static String text(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> scalar(String.valueOf(entry.getKey())) + ": " + text(entry.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    } else if (value instanceof Collection<?> items) {
      return items.stream().map(Flow::text).collect(Collectors.joining(", ", "[", "]"));
    } else if (value instanceof Boolean || value instanceof Number) {
      return value.toString();
    } else if (value instanceof Duration duration) {
      return duration(duration);
    }
    return scalar(value.toString());
  }

  private static String scalar(String text) {
    return PLAIN.matcher(text).matches() && !MEANT_OTHERWISE.contains(text.toLowerCase(Locale.ROOT))
        ? text
        : quoted(text);
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private static String duration(Duration duration) {
    StringBuilder text = new StringBuilder();
    part(text, duration.toHours(), "h");
    part(text, duration.toMinutesPart(), "m");
    part(text, duration.toSecondsPart(), "s");
    part(text, duration.toMillisPart(), "ms");
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static void part(StringBuilder text, long count, String unit) {
    if (count > 0) {
      text.append(count).append(unit);
    }
  }
}
