package dev.berth.driver;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Takes settings by name and knows which ones nobody has asked for. Every failure is an {@link
 * IllegalArgumentException} that names the setting, its value and what to write.
 */
final class SettingsReader {

  private final Map<String, String> values;
  private final SortedSet<String> left;

  SettingsReader(Map<String, String> values) {
    this.values = Map.copyOf(values);
    this.left = new TreeSet<>(values.keySet());
  }

  String text(String name, String otherwise) {
    left.remove(name);
    return values.getOrDefault(name, otherwise).trim();
  }

  String required(String name) {
    String value = text(name, "");
    if (value.isEmpty()) {
      throw new IllegalArgumentException("%s is missing; give it a value".formatted(name));
    }
    return value;
  }

  boolean flag(String name, boolean otherwise) {
    return parsed(
        name,
        Boolean.toString(otherwise),
        text ->
            switch (text) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException("write true or false");
            });
  }

  long number(String name, long otherwise) {
    return parsed(name, Long.toString(otherwise), SettingsReader::number);
  }

  static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("write a whole number", e);
    }
  }

  /** A list separated by commas. */
  List<String> list(String name, String otherwise) {
    return Arrays.stream(text(name, otherwise).split(",", -1))
        .map(String::trim)
        .filter(element -> !element.isEmpty())
        .toList();
  }

  /** The values of all settings that are this prefix and a number, in the order of the numbers. */
  List<String> numbered(String prefix) {
    TreeMap<Long, String> found = new TreeMap<>();
    for (String name : List.copyOf(left)) {
      if (name.startsWith(prefix)) {
        String rest = name.substring(prefix.length());
        found.put(explained(name, rest, SettingsReader::number), text(name, ""));
      }
    }
    return List.copyOf(found.values());
  }

  <T> T parsed(String name, String otherwise, Function<String, T> parse) {
    return explained(name, text(name, otherwise), parse);
  }

  /** Runs a parser, and names the setting if it fails. */
  static <T> T explained(String name, String value, Function<String, T> parse) {
    try {
      return parse.apply(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s=%s: %s".formatted(name, value, e.getMessage()), e);
    }
  }

  /** A constant of an enum, written in small letters with dashes. */
  static <E extends Enum<E>> E oneOf(String text, Class<E> type) {
    List<E> constants = List.of(type.getEnumConstants());
    return constants.stream()
        .filter(constant -> dashed(constant).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    constants.stream()
                        .map(SettingsReader::dashed)
                        .collect(Collectors.joining(", ", "write one of ", ""))));
  }

  private static String dashed(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  void requireNothingLeft() {
    if (!left.isEmpty()) {
      throw new IllegalArgumentException(
          "unknown settings %s; see --help for those there are".formatted(left));
    }
  }
}
