package dev.berth.ops.demo;

/**
 * How much the demonstration does.
 *
 * @param allocs allocs that run (count)
 * @param volumes volumes that are registered (count)
 * @param nodes nodes of the cluster (count)
 * @param seed the same seed gives the same script
 */
public record DemoSize(int allocs, int volumes, int nodes, long seed) {

  /** Most allocs. */
  public static final int MOST_ALLOCS = 2_000;

  /** Most volumes. */
  public static final int MOST_VOLUMES = 200;

  /** Most nodes: each runs an instance of every plugin, all in one JVM. */
  public static final int MOST_NODES = 30;

  /** A script that takes well under a minute. */
  public static final DemoSize USUAL = new DemoSize(200, 50, 10, 1);

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException naming number, value and range
   */
  public DemoSize {
    require("allocs", allocs, MOST_ALLOCS);
    require("volumes", volumes, MOST_VOLUMES);
    require("nodes", nodes, MOST_NODES);
  }

  private static void require(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          "%s %d is out of range: give 1 to %d".formatted(name, value, most));
    }
  }
}
