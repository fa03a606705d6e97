package dev.berth.bench.load;

import java.util.concurrent.locks.LockSupport;

/** The time that a load goes by. */
public interface Pacer {
  /** The present time (nanoseconds since some moment). */
  long now();

  /**
   * Waits until a time; returns at once when it has passed.
   *
   * @param nanos the time, as {@link #now} tells it
   * @throws InterruptedException when interrupted while waiting
   */
  void until(long nanos) throws InterruptedException;

  /** The JVM's monotonic clock. */
  static Pacer system() {
    return new Pacer() {
      @Override
      public long now() {
        return System.nanoTime();
      }

      @Override
      public void until(long nanos) throws InterruptedException {
        for (long left = nanos - now(); left > 0; left = nanos - now()) {
          if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while waiting for the next request");
          }
          LockSupport.parkNanos(left);
        }
      }
    };
  }
}
