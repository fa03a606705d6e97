package dev.berth.streams.app;

import java.time.Duration;

/** Waits between two tries; tests give one that does not. */
@FunctionalInterface
interface Pause {
  /**
   * Waits for a time, or until the application is being closed.
   *
   * @return false when it is being closed, so that there is nothing to wait for any more
   */
  boolean elapse(Duration time);
}
