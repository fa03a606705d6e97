package dev.berth.schemas.topics;

import java.util.Map;

/**
 * A topic as a cluster has it.
 *
 * @param partitions number of partitions
 * @param replicationFactor copies of the partition that has the fewest
 * @param configs settings in force by Kafka's names, the brokers' defaults included
 */
public record ExistingTopic(int partitions, int replicationFactor, Map<String, String> configs) {

  /** Copies the settings. */
  public ExistingTopic {
    configs = Map.copyOf(configs);
  }
}
