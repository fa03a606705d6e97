package dev.berth.streams.app;

import java.util.Locale;

/**
 * Where the application is in its life.
 *
 * @param phase the phase
 * @param detail what it waits for, or why it failed; may be empty
 */
public record AppState(Phase phase, String detail) {

  /** The phases, in the order of a life. */
  public enum Phase {
    /** Not started, or checking what it needs. */
    STARTING,
    /** Taking over partitions and their state. */
    REBALANCING,
    /** Working. */
    RUNNING,
    /** Leaving the group. */
    CLOSING,
    /** Closed. */
    CLOSED,
    /** Ended by a failure that no further try can mend. */
    FAILED
  }

  /** Whether it works. */
  public boolean running() {
    return phase == Phase.RUNNING;
  }

  /** Whether it is over. */
  public boolean ended() {
    return phase == Phase.CLOSED || phase == Phase.FAILED;
  }

  /** The state in one line. */
  public String text() {
    String name = phase.name().toLowerCase(Locale.ROOT);
    return detail.isEmpty() ? name : name + ": " + detail;
  }
}
