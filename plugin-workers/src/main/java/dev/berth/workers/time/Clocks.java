package dev.berth.workers.time;

import java.time.Clock;

/** The clocks of the process. */
@FunctionalInterface
public interface Clocks {

  /** Reads both clocks. */
  Moment read();

  /** Returns the clocks of the machine. */
  static Clocks system() {
    Clock wall = Clock.systemUTC();
    return () -> new Moment(System.nanoTime(), wall.instant());
  }
}
