package dev.berth.ops.explore;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Equal things are one thing, with a number (hash-consing).
 *
 * @param <T> type of the things, immutable
 */
final class Interning<T> {
  private final Map<T, Integer> numbers = new HashMap<>();
  private final List<T> things = new ArrayList<>();

  /** The number of a thing; from 0, in the order of first use. */
  int number(T thing) {
    Integer known = numbers.get(thing);
    if (known == null) {
      known = things.size();
      numbers.put(thing, known);
      things.add(thing);
    }
    return known;
  }

  /** The one thing that is equal to it. */
  T one(T thing) {
    return things.get(number(thing));
  }

  T thing(int number) {
    return things.get(number);
  }

  int size() {
    return things.size();
  }
}
