package dev.berth.streams.cluster;

import org.jspecify.annotations.Nullable;

/** Whether an id can be part of a key. */
final class Ids {
  /** Longer than the ids of any scheduler; it only keeps keys from growing without bound. */
  private static final int LONGEST = 256;

  private Ids() {}

  /**
   * What is wrong with an id, with its field, its value and the remedy.
   *
   * @return null when nothing is
   */
  static @Nullable String problem(String field, String id) {
    if (id.isBlank()) {
      return field + " is empty: give its id";
    }
    if (id.length() > LONGEST) {
      return "%s is %d characters long: use an id of at most %d"
          .formatted(field, id.length(), LONGEST);
    }
    boolean illegal = id.chars().anyMatch(c -> c == '/' || Character.isISOControl(c));
    return illegal
        ? field + " '" + id + "' holds a slash or a control character: use an id without"
        : null;
  }
}
