package dev.berth.producers.feed;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The time of a feed; tests bring their own. */
interface FeedTime {

  /** As {@link System#nanoTime}. */
  long nanoTime();

  /** Returns at this time, as {@link #nanoTime}; at once when it has passed. */
  void until(long nanoTime) throws InterruptedException;

  /**
   * Waits until something is complete, for so long at most.
   *
   * @return whether it is
   */
  boolean await(CompletableFuture<?> what, Duration longest) throws InterruptedException;

  /** The machine's. */
  static FeedTime system() {
    return new FeedTime() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public void until(long nanoTime) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanoTime - System.nanoTime());
      }

      @Override
      public boolean await(CompletableFuture<?> what, Duration longest)
          throws InterruptedException {
        try {
          var unused = what.get(longest.toNanos(), TimeUnit.NANOSECONDS);
          return true;
        } catch (ExecutionException e) {
          return true;
        } catch (TimeoutException e) {
          return false;
        }
      }
    };
  }
}
