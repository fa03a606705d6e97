package dev.berth.streams.codec;

/** What may stand in the ids and texts of records that others write. */
final class Names {
  /** Longer than the ids of any scheduler; it only keeps keys and rows from growing unbounded. */
  static final int LONGEST = 256;

  /** Longest text for people that is kept (characters): it is not decided on. */
  static final int LONGEST_TEXT = 4_000;

  private static final int SHOWN = 60;

  private Names() {}

  /**
   * Checks an id that becomes part of a key.
   *
   * @throws IllegalArgumentException with the field, its value and the remedy
   */
  static String part(String field, String value) {
    if (value.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          field
              + " '"
              + shown(value)
              + "' holds a slash, which separates the parts of a key: take it out");
    }
    return named(field, value);
  }

  /**
   * Checks a name that has to be there.
   *
   * @throws IllegalArgumentException with the field, its value and the remedy
   */
  static String named(String field, String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException(field + " is empty: name the " + field);
    }
    return bounded(field, value);
  }

  /**
   * Checks the length of a name that may be missing.
   *
   * @throws IllegalArgumentException with the field, its value and the remedy
   */
  static String bounded(String field, String value) {
    if (value.length() > LONGEST) {
      throw new IllegalArgumentException(
          "%s '%s' has %d characters: use at most %d"
              .formatted(field, shown(value), value.length(), LONGEST));
    }
    return value;
  }

  /** Cuts a text for people to the longest that is kept. */
  static String text(String value) {
    return value.length() <= LONGEST_TEXT ? value : value.substring(0, LONGEST_TEXT) + "…";
  }

  private static String shown(String value) {
    return value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "…";
  }
}
