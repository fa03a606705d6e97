package dev.berth.ops.explore;

/** States of which steps have not been tried, first in first out, in one array. */
final class Frontier {
  private final int width;
  private int[] ring = new int[1 << 16];
  private long head;
  private long tail;

  /**
   * An empty frontier.
   *
   * @param width numbers in each state (count)
   */
  Frontier(int width) {
    this.width = width;
  }

  boolean isEmpty() {
    return head == tail;
  }

  /** States in it (count). */
  long size() {
    return (tail - head) / width;
  }

  void add(int[] numbers) {
    if (tail - head + width > ring.length) {
      grow();
    }
    for (int number : numbers) {
      ring[(int) (tail++ & (ring.length - 1))] = number;
    }
  }

  int[] take() {
    int[] numbers = new int[width];
    for (int i = 0; i < width; i++) {
      numbers[i] = ring[(int) (head++ & (ring.length - 1))];
    }
    return numbers;
  }

  private void grow() {
    int[] larger = new int[ring.length * 2];
    for (long i = head; i < tail; i++) {
      larger[(int) (i & (larger.length - 1))] = ring[(int) (i & (ring.length - 1))];
    }
    ring = larger;
  }
}
