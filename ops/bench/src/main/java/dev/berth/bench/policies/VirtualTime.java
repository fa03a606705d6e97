package dev.berth.bench.policies;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Time that passes by events only. What is planned for the same time happens in the order in which
 * it was planned, so that a run is the same each time.
 */
final class VirtualTime {
  private final PriorityQueue<Planned> queue =
      new PriorityQueue<>(Comparator.comparingLong(Planned::at).thenComparingLong(Planned::number));
  private long now;
  private long planned;

  private record Planned(long at, long number, Runnable what) {}

  /** The present time (milliseconds from the beginning). */
  long now() {
    return now;
  }

  /** Plans something for a time, or for now when that has passed. */
  void at(long millis, Runnable what) {
    queue.add(new Planned(Math.max(now, millis), planned++, what));
  }

  /** Plans something for later. */
  void in(long millis, Runnable what) {
    at(now + millis, what);
  }

  /** Lets everything happen until nothing is planned any more, or until a time. */
  void run(long end) {
    for (Planned next = queue.peek(); next != null && next.at() <= end; next = queue.peek()) {
      queue.remove();
      now = next.at();
      next.what().run();
    }
  }
}
