package dev.berth.producers;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * What may stand in the fields of events, commands and node records. Ids become parts of topic
 * keys, joined by slashes, which is why they hold none.
 */
public final class FieldRules {

  /** Longest id, job or block name (characters): what DNS and Kubernetes allow for a name. */
  static final int LONGEST_NAME = 253;

  /** Longest id that a provider gives (characters). */
  static final int LONGEST_PROVIDER_ID = 1_024;

  /** Longest text for people (characters); longer ones are cut, since they are not decided on. */
  static final int LONGEST_TEXT = 4_000;

  private static final int SHOWN = 60;

  private FieldRules() {}

  /**
   * Checks a namespace, volume, alloc, node, plugin or scheduler id.
   *
   * @return the id
   * @throws InvalidEventException naming field, value and remedy
   */
  public static String id(String field, String value) {
    name(field, value);
    if (value.indexOf('/') >= 0) {
      throw invalid(field, value, "holds a slash, which joins the parts of a key; take it out");
    }
    return value;
  }

  /**
   * Checks a name that is shown and does not become part of a key.
   *
   * @return the name
   * @throws InvalidEventException naming field, value and remedy
   */
  public static String name(String field, String value) {
    return words(field, value, LONGEST_NAME);
  }

  /**
   * Checks a provider's own id: any text, and some providers' are long.
   *
   * @return the id
   * @throws InvalidEventException naming field, value and remedy
   */
  public static String providerId(String field, String value) {
    return words(field, value, LONGEST_PROVIDER_ID);
  }

  private static String words(String field, String value, int longest) {
    if (value.isEmpty()) {
      throw new InvalidEventException(field, "is empty", "give a value");
    }
    if (value.length() > longest) {
      throw invalid(
          field, value, "has %d characters; %d are allowed".formatted(value.length(), longest));
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw invalid(field, value, "holds a control character; take it out");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
      throw invalid(field, value, "is not valid Unicode text; correct its encoding");
    }
    return value;
  }

  static Optional<String> name(String field, Optional<String> value) {
    return value.map(present -> name(field, present));
  }

  /** Cuts a text for people to the longest that is kept. */
  public static String text(String value) {
    if (value.length() <= LONGEST_TEXT) {
      return value;
    }
    return value.substring(0, LONGEST_TEXT) + "…";
  }

  /** Checks a promise to stop after losing contact: whole milliseconds, more than none. */
  static Duration stopOnDisconnect(Duration value) {
    if (value.toMillis() <= 0) {
      throw new InvalidEventException(
          "stopOnDisconnect",
          value.toString(),
          "must be at least a millisecond; leave it out when the alloc makes no such promise");
    }
    return value;
  }

  /** Refuses the symbol that stands for values of a newer writer. */
  static <E extends Enum<E>> E known(String field, E value) {
    if (value.name().equals("UNRECOGNIZED")) {
      throw new InvalidEventException(
          field, value.name(), "is only for reading what a newer version wrote; say what it is");
    }
    return value;
  }

  private static InvalidEventException invalid(String field, String value, String remedy) {
    return new InvalidEventException(field, "'" + shown(value) + "'", remedy);
  }

  private static String shown(String value) {
    String cut = value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "…";
    return cut.chars()
        .map(c -> Character.isISOControl(c) || Character.isSurrogate((char) c) ? '?' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
