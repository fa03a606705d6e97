package dev.berth.producers.trace;

import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The time of a loop that waits for signals; tests bring their own. */
interface LoopTime {

  /** As {@link System#nanoTime}. */
  long nanoTime();

  /**
   * Waits for a signal.
   *
   * @param until when to stop waiting, as {@link #nanoTime}; empty: never
   * @return null when it was time to stop
   */
  @Nullable Runnable next(BlockingQueue<Runnable> signals, OptionalLong until)
      throws InterruptedException;

  /** The machine's. */
  static LoopTime system() {
    return new LoopTime() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public @Nullable Runnable next(BlockingQueue<Runnable> signals, OptionalLong until)
          throws InterruptedException {
        return until.isEmpty()
            ? signals.take()
            : signals.poll(until.getAsLong() - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    };
  }
}
