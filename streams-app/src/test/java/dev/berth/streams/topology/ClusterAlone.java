package dev.berth.streams.topology;

import dev.berth.streams.policy.Policies;
import org.apache.kafka.streams.Topology;

/** The smallest topology that is one of ours: {@code Cluster} without the others. */
public final class ClusterAlone {
  private ClusterAlone() {}

  /** Builds it. */
  public static Topology build(TopologyContext context, Policies configured) {
    Topology topology = new Topology();
    ClusterSubtopology.addTo(topology, context, configured);
    return topology;
  }
}
