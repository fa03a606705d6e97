package dev.berth.ops.explore;

/**
 * A set of 128-bit fingerprints. Among ten million scenes two share one by chance with a
 * probability below 10^-24.
 */
final class Fingerprints {
  private long[] table = new long[1 << 17];
  private int size;

  /** The two halves of a fingerprint of numbers. */
  static long half(int[] numbers, long seed) {
    long hash = seed;
    for (int number : numbers) {
      hash = mixed(hash ^ (number + 0x9E3779B97F4A7C15L) * 0xD6E8FEB86659FD93L);
    }
    return hash;
  }

  private static long mixed(long value) {
    long mixed = (value ^ (value >>> 32)) * 0xD6E8FEB86659FD93L;
    mixed = (mixed ^ (mixed >>> 29)) * 0xFF51AFD7ED558CCDL;
    return mixed ^ (mixed >>> 32);
  }

  /**
   * Adds the fingerprint of numbers.
   *
   * @return whether it was not there
   */
  boolean add(int[] numbers) {
    long high = half(numbers, 0x243F6A8885A308D3L);
    long low = half(numbers, 0x13198A2E03707344L);
    if (high == 0 && low == 0) {
      low = 1;
    }
    if (size * 4L > table.length) {
      grow();
    }
    boolean added = add(table, high, low);
    size += added ? 1 : 0;
    return added;
  }

  /** Whether the fingerprint of numbers is there. */
  boolean contains(int[] numbers) {
    long high = half(numbers, 0x243F6A8885A308D3L);
    long low = half(numbers, 0x13198A2E03707344L);
    if (high == 0 && low == 0) {
      low = 1;
    }
    return table[place(table, high, low)] != 0 || table[place(table, high, low) + 1] != 0;
  }

  int size() {
    return size;
  }

  private void grow() {
    long[] larger = new long[table.length * 2];
    for (int i = 0; i < table.length; i += 2) {
      if (table[i] != 0 || table[i + 1] != 0) {
        add(larger, table[i], table[i + 1]);
      }
    }
    table = larger;
  }

  private static boolean add(long[] to, long high, long low) {
    int at = place(to, high, low);
    if (to[at] != 0 || to[at + 1] != 0) {
      return false;
    }
    to[at] = high;
    to[at + 1] = low;
    return true;
  }

  /** Where a fingerprint stands, or the free place where it would. */
  private static int place(long[] in, long high, long low) {
    int pairs = in.length / 2;
    int pair = (int) (high & (pairs - 1));
    while (in[2 * pair] != 0 || in[2 * pair + 1] != 0) {
      if (in[2 * pair] == high && in[2 * pair + 1] == low) {
        return 2 * pair;
      }
      pair = (pair + 1) & (pairs - 1);
    }
    return 2 * pair;
  }
}
