package dev.berth.bench.table;

import dev.berth.schemas.topics.Keys;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A volume of the bench. All ids of a kind are equally long, so that what is written of one volume
 * is as long as what is written of another.
 *
 * @param kind whether it needs a controller
 * @param number its number among those of its kind, from 0; below ten million
 */
record TableVolume(Kind kind, int number) {
  static final String NAMESPACE = "bench";
  static final String NODE = "n1";

  private static final int DIGITS = 7;

  /** What a volume needs. */
  // A list of Stream.toList: immutable, though the checker cannot see it in its type.
  @SuppressWarnings("ImmutableEnumChecker")
  enum Kind {
    /** Nothing but its node: no controller is ever called. */
    NODE_ONLY("n", "nod-", 4, "node-only volumes"),
    /**
     * An attach and a detach by a controller. Twice as many plugins as the lanes have partitions,
     * so that nearly all of these have work.
     */
    CONTROLLER("c", "ctl-", 24, "controller volumes");

    private final String letter;
    private final List<String> plugins;
    private final String words;

    Kind(String letter, String plugin, int count, String words) {
      this.letter = letter;
      this.words = words;
      this.plugins = IntStream.range(0, count).mapToObj(i -> plugin + padded(i, 2)).toList();
    }

    /** Ids of its plugins. */
    List<String> plugins() {
      return plugins;
    }

    /** In words. */
    String words() {
      return words;
    }
  }

  /** The volume that a text is about: one that begins with its key. */
  static TableVolume of(String text) {
    int from = NAMESPACE.length() + 1;
    Kind kind = text.charAt(from) == 'n' ? Kind.NODE_ONLY : Kind.CONTROLLER;
    return new TableVolume(kind, Integer.parseInt(text, from + 1, from + 1 + DIGITS, 10));
  }

  /** Its id, which is its provider's too. */
  String id() {
    return kind.letter + padded(number, DIGITS);
  }

  /** Its key. */
  String key() {
    return Keys.volume(NAMESPACE, id());
  }

  /** Its plugin. */
  String plugin() {
    return kind.plugins.get(number % kind.plugins.size());
  }

  /**
   * The alloc that uses it.
   *
   * @param use which of the allocs that use it one after the other
   */
  String alloc(int use) {
    return id() + "-" + use;
  }

  /** A number with leading zeros. */
  static String padded(long number, int digits) {
    String text = Long.toString(number);
    return "0".repeat(digits - text.length()) + text;
  }
}
