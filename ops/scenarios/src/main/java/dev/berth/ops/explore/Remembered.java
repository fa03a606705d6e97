package dev.berth.ops.explore;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Results by what they follow from. Keeps those asked for lately: when so many are new, the ones
 * that were not asked for since the last time are forgotten.
 *
 * <p>For several threads; two that ask at once may both compute.
 *
 * @param <K> what a result follows from
 * @param <V> the result
 */
final class Remembered<K, V> {
  private static final int MOST = 500_000;

  private volatile ConcurrentHashMap<K, V> lately = new ConcurrentHashMap<>();
  private volatile ConcurrentHashMap<K, V> before = new ConcurrentHashMap<>();

  /** The result, computed if it is not known. */
  V get(K key, Function<? super K, ? extends V> compute) {
    V value = lately.get(key);
    if (value != null) {
      return value;
    }
    value = before.get(key);
    if (value == null) {
      value = compute.apply(key);
    }
    V first = lately.putIfAbsent(key, value);
    if (lately.mappingCount() >= MOST) {
      turn();
    }
    return first == null ? value : first;
  }

  private synchronized void turn() {
    if (lately.mappingCount() >= MOST) {
      before = lately;
      lately = new ConcurrentHashMap<>();
    }
  }
}
