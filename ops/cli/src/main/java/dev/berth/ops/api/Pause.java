package dev.berth.ops.api;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Lets time pass. */
@FunctionalInterface
public interface Pause {

  /** Returns after so long. */
  void elapse(Duration duration) throws InterruptedException;

  /** That of the system's clock. */
  static Pause real() {
    return duration -> TimeUnit.NANOSECONDS.sleep(duration.toNanos());
  }
}
