package dev.berth.workers;

import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import java.time.Duration;

/** Clocks that tests move. */
public final class ManualClocks implements Clocks {

  private volatile Moment now = WorkFixtures.AT_NOON;

  @Override
  public Moment read() {
    return now;
  }

  /** Moves both clocks. */
  public void advance(Duration by) {
    advanceMonotonic(by);
    advanceWall(by);
  }

  /** Moves the monotonic clock alone: the wall clock was set back meanwhile. */
  public void advanceMonotonic(Duration by) {
    now = new Moment(now.nanos() + by.toNanos(), now.wall());
  }

  /** Moves the wall clock alone: the machine was suspended meanwhile. */
  public void advanceWall(Duration by) {
    now = new Moment(now.nanos(), now.wall().plus(by));
  }
}
