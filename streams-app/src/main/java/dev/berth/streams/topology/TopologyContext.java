package dev.berth.streams.topology;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Topics;

/**
 * What the topology is built for.
 *
 * @param topics names of the topics
 * @param registry where their schemas are
 * @param volumePartitions partitions of the topics keyed by volume (count)
 * @param lanePartitions partitions of the topics that Lanes reads (count)
 */
public record TopologyContext(
    Topics topics, Registry registry, int volumePartitions, int lanePartitions) {}
