package dev.berth.producers.trace;

import java.time.Duration;
import java.util.Optional;

/**
 * How a plan is replayed.
 *
 * @param feed feed id: under it the position is kept
 * @param pace how fast
 * @param window allocs that may live at a time (count, at least 1); where the plan itself needs
 *     more, it gets them
 * @param patience the longest time in which nothing at all happens although something is waited
 *     for; empty: for ever
 */
public record ReplayOptions(String feed, Pace pace, int window, Optional<Duration> patience) {

  /** Allocs that may live at a time unless said otherwise: enough to keep several lanes busy. */
  public static final int USUAL_WINDOW = 150;

  /**
   * Checks the window.
   *
   * @throws IllegalArgumentException naming value and remedy
   */
  public ReplayOptions {
    if (window < 1) {
      throw new IllegalArgumentException(
          "window %d is not possible: give 1 or more".formatted(window));
    }
  }

  /** At full speed, with the usual window, waiting for ever. */
  public static ReplayOptions of(String feed) {
    return new ReplayOptions(feed, Pace.max(), USUAL_WINDOW, Optional.empty());
  }

  /** The same at another pace. */
  public ReplayOptions withPace(Pace other) {
    return new ReplayOptions(feed, other, window, patience);
  }

  /** The same with another window. */
  public ReplayOptions withWindow(int allocs) {
    return new ReplayOptions(feed, pace, allocs, patience);
  }

  /** The same, ending when nothing happens for so long. */
  public ReplayOptions withPatience(Duration longest) {
    return new ReplayOptions(feed, pace, window, Optional.of(longest));
  }
}
