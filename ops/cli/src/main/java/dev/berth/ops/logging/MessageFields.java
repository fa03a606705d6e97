package dev.berth.ops.logging;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields out of a message. Messages of Berth name what they speak of as {@code key={}}
 * (see style.md: volume, alloc, plugin, node, attempt, lane), so that one line serves people and
 * collectors, and nobody has to say things twice.
 */
final class MessageFields {
  /** A key, and what stands for its value: {@code volume={}/{}}. */
  private static final Pattern FIELD =
      Pattern.compile("(?<![\\w.-])([A-Za-z][A-Za-z0-9.-]*)=([^\\s{}]*(?:\\{\\}[^\\s{},;)]*)+)");

  private static final String PLACE = "{}";

  private MessageFields() {}

  /**
   * The fields of a message, in its order.
   *
   * @param template the message with its places
   * @param arguments what comes into the places; null when there are none
   */
  static Map<String, String> of(String template, @Nullable Object @Nullable [] arguments) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (arguments == null) {
      return fields;
    }
    Matcher field = FIELD.matcher(template);
    while (field.find()) {
      int argument = places(template, field.start());
      String value = filled(field.group(2), arguments, argument);
      if (value != null) {
        // Punctuation behind the last value belongs to the sentence.
        fields.put(
            field.group(1), value.endsWith(":") ? value.substring(0, value.length() - 1) : value);
      }
    }
    return fields;
  }

  private static int places(String template, int end) {
    int count = 0;
    int at = template.indexOf(PLACE);
    while (at >= 0 && at < end) {
      count++;
      at = template.indexOf(PLACE, at + PLACE.length());
    }
    return count;
  }

  /** Null when there are fewer arguments than places. */
  private static @Nullable String filled(String template, @Nullable Object[] arguments, int first) {
    StringBuilder value = new StringBuilder();
    int from = 0;
    int argument = first;
    for (int at = template.indexOf(PLACE); at >= 0; at = template.indexOf(PLACE, from)) {
      if (argument >= arguments.length) {
        return null;
      }
      value.append(template, from, at).append(arguments[argument++]);
      from = at + PLACE.length();
    }
    return value.append(template.substring(from)).toString();
  }
}
