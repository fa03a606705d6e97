package dev.berth.producers.trace;

import java.time.Duration;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** Time that passes only when nothing else is to be done. */
final class FakeTime implements LoopTime {

  private record Later(long at, long order, Runnable action) {}

  private final PriorityQueue<Later> later =
      new PriorityQueue<>(Comparator.comparing(Later::at).thenComparing(Later::order));
  private long now;
  private long scheduled;

  void after(Duration delay, Runnable action) {
    later.add(new Later(now + delay.toNanos(), scheduled++, action));
  }

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public @Nullable Runnable next(BlockingQueue<Runnable> signals, OptionalLong until) {
    while (signals.isEmpty()) {
      Later first = later.peek();
      if (until.isPresent() && (first == null || first.at() > until.getAsLong())) {
        now = until.getAsLong();
        return null;
      }
      if (first == null) {
        throw new AssertionError("nothing will ever happen");
      }
      later.remove();
      now = first.at();
      first.action().run();
    }
    return signals.remove();
  }
}
