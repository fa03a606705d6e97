package dev.berth.ops.explore;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Equal things are one thing, with a number (hash-consing).
 *
 * <p>For several threads: who has a number from another thread, in whatever safe way, finds its
 * thing.
 *
 * @param <T> type of the things, immutable
 */
final class Interning<T> {
  private static final int CHUNK_BITS = 14;
  private static final int CHUNK = 1 << CHUNK_BITS;

  private final ConcurrentHashMap<T, Integer> numbers = new ConcurrentHashMap<>();

  /** Chunks stay where they are when there are more, so that reading needs no lock. */
  private final Object[][] chunks = new Object[1 << 14][];

  private int size;

  /** The number of a thing; from 0, in the order of first use. */
  int number(T thing) {
    Integer known = numbers.get(thing);
    return known != null ? known : numbered(thing);
  }

  private synchronized int numbered(T thing) {
    Integer known = numbers.get(thing);
    if (known != null) {
      return known;
    }
    int number = size++;
    if (chunks[number >>> CHUNK_BITS] == null) {
      chunks[number >>> CHUNK_BITS] = new Object[CHUNK];
    }
    chunks[number >>> CHUNK_BITS][number & (CHUNK - 1)] = thing;
    numbers.put(thing, number);
    return number;
  }

  /** The one thing that is equal to it. */
  T one(T thing) {
    return thing(number(thing));
  }

  @SuppressWarnings("unchecked") // only things of this type are put there
  T thing(int number) {
    return (T) chunks[number >>> CHUNK_BITS][number & (CHUNK - 1)];
  }
}
