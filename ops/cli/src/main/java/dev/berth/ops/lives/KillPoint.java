package dev.berth.ops.lives;

import java.time.Duration;

/** When a life is killed. */
public sealed interface KillPoint {

  /**
   * Some time after its work has come so far.
   *
   * @param share share of all work (0 to 1)
   * @param later how long after that, so that the kill is not tied to the end of a piece of work
   */
  record AtProgress(double share, Duration later) implements KillPoint {}

  /**
   * Some time after its process began, wherever that falls: mostly within the start.
   *
   * @param age of the process
   */
  record AtAge(Duration age) implements KillPoint {}
}
