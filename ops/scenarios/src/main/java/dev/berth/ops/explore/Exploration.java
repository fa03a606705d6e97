package dev.berth.ops.explore;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a search found out.
 *
 * @param world what the world is made of
 * @param alphabet what can happen in it
 * @param bound what is saturated or left out
 * @param states different states reached (count)
 * @param transitions steps tried (count)
 * @param depth steps from the beginning to the states reached last (count)
 * @param expanded states of which every step was tried (count)
 * @param healed states of which it was shown that the empty table can be reached (count)
 * @param complete whether no state is left: all that can happen has been looked at
 * @param took how long it took
 * @param violation what is wrong; null when nothing was found
 */
public record Exploration(
    String world,
    List<String> alphabet,
    List<String> bound,
    long states,
    long transitions,
    int depth,
    long expanded,
    long healed,
    boolean complete,
    Duration took,
    @Nullable Violation violation) {

  /** Keeps copies. */
  public Exploration {
    alphabet = List.copyOf(alphabet);
    bound = List.copyOf(bound);
  }

  /**
   * A state in which something is wrong, and the shortest way to it.
   *
   * @param what what is wrong
   * @param path the steps to it, in words
   * @param scenario the same as a scenario file
   * @param expressible whether the file says all of it
   */
  public record Violation(String what, List<String> path, String scenario, boolean expressible) {
    /** Keeps a copy. */
    public Violation {
      path = List.copyOf(path);
    }
  }
}
