package dev.berth.ops.chaos;

import java.time.Duration;
import java.util.Map;

/**
 * What a {@link Cluster} is like.
 *
 * @param protocols how Streams instances and workers find their partitions
 * @param seed of the faults of calls
 * @param faults whether calls hang, are slow or lose their replies, until they are lifted
 * @param outlive whether slow calls go on inside the plugin after their callers have gone
 * @param longestCall how long a controller call takes at most when nothing is wrong with it; 5 ms
 *     or more
 * @param workers how many workers there are, 1 to 3 (count)
 * @param streams settings of the Streams instances, over those that a cluster gives them
 */
public record ClusterPlan(
    GroupProtocols protocols,
    long seed,
    boolean faults,
    boolean outlive,
    Duration longestCall,
    int workers,
    Map<String, String> streams) {

  private static final Duration OF_CHAOS = Duration.ofMillis(150);

  /** Keeps a copy. */
  public ClusterPlan {
    streams = Map.copyOf(streams);
    if (workers < 1 || workers > Cluster.WORKERS.size()) {
      throw new IllegalArgumentException(
          "workers %d: give 1 to %d".formatted(workers, Cluster.WORKERS.size()));
    }
  }

  /** That of a chaos run. */
  static ClusterPlan chaos(long seed, GroupProtocols protocols, boolean outlive) {
    return new ClusterPlan(
        protocols, seed, true, outlive, OF_CHAOS, Cluster.WORKERS.size(), Map.of());
  }

  /**
   * One in which nothing is wrong with any call.
   *
   * @param longestCall how long a controller call takes at most; 5 ms or more
   */
  public static ClusterPlan withoutFaults(
      Duration longestCall, int workers, Map<String, String> streams) {
    return new ClusterPlan(GroupProtocols.CLASSIC, 0, false, false, longestCall, workers, streams);
  }
}
