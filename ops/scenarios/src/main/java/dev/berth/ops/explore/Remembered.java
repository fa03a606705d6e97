package dev.berth.ops.explore;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Results by what they follow from, up to a number of them: then it forgets all and begins anew.
 *
 * @param <K> what a result follows from
 * @param <V> the result
 */
final class Remembered<K, V> {
  private static final int MOST = 1_000_000;

  private final Map<K, V> known = new HashMap<>();

  /** The result, computed if it is not known. */
  V get(K key, Function<K, V> compute) {
    V value = known.get(key);
    if (value == null) {
      if (known.size() >= MOST) {
        known.clear();
      }
      value = compute.apply(key);
      known.put(key, value);
    }
    return value;
  }
}
