package dev.berth.producers.feed;

import java.util.concurrent.TimeUnit;

/** The time of a feed; tests bring their own. */
interface FeedTime {

  /** As {@link System#nanoTime}. */
  long nanoTime();

  /** Returns at this time, as {@link #nanoTime}; at once when it has passed. */
  void until(long nanoTime) throws InterruptedException;

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
    };
  }
}
