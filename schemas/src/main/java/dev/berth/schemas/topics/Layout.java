package dev.berth.schemas.topics;

import java.util.Map;
import java.util.Optional;

/**
 * How a deployment spreads and copies its topics. Partition counts are given per {@link
 * Partitioning}, not per topic, so that topics that must agree cannot disagree.
 *
 * @param replicationFactor copies of every partition (count, at least 1)
 * @param partitions partition counts that differ from {@link Partitioning#defaultCount}
 */
public record Layout(int replicationFactor, Map<Partitioning, Integer> partitions) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException naming setting, value and remedy
   */
  public Layout {
    partitions = Map.copyOf(partitions);
    if (replicationFactor < 1 || replicationFactor > Short.MAX_VALUE) {
      throw new IllegalArgumentException(
          "replication factor %d is not possible: give 1, or 3 on a cluster of three or more brokers"
              .formatted(replicationFactor));
    }
    partitions.forEach(
        (partitioning, count) -> {
          if (partitioning == Partitioning.CLUSTER && count != 1) {
            throw new IllegalArgumentException(
                "partitions %d for %s are not possible: leave it at 1, since one task must see all"
                    .formatted(count, partitioning));
          }
          if (count < 1) {
            throw new IllegalArgumentException(
                "partitions %d for %s are not possible: give 1 or more"
                    .formatted(count, partitioning));
          }
        });
  }

  /** Default partition counts with this many copies. */
  public static Layout replicated(int replicationFactor) {
    return new Layout(replicationFactor, Map.of());
  }

  /** Returns the partition count a deployment asked for; empty when it leaves the default. */
  public Optional<Integer> asked(Partitioning partitioning) {
    return Optional.ofNullable(partitions.get(partitioning));
  }

  /** Returns the partition count new topics get. */
  public int count(Partitioning partitioning) {
    return asked(partitioning).orElse(partitioning.defaultCount());
  }
}
