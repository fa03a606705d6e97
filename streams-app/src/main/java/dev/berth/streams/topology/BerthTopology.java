package dev.berth.streams.topology;

import dev.berth.streams.policy.Policies;
import org.apache.kafka.streams.Topology;

/**
 * The one topology: three sub-topologies, each the only decider of its own things, connected by
 * topics only.
 *
 * <pre>
 * alloc-events, commands, settlements, volume-signals ─► volume-claims
 * lane-requests, lane-signals, work-acceptances, work-outcomes, plugin-listings, secrets-found ─► lanes
 * nodes, plugins, policies, cluster-commands ─► cluster
 * </pre>
 *
 * Names of processors, stores, sources and sinks are fixed: a new version starts on an old
 * version's state.
 */
public final class BerthTopology {
  private BerthTopology() {}

  /**
   * Builds the topology.
   *
   * @param context what it is built for
   * @param configured policies of the configuration; published ones replace them, name by name
   */
  public static Topology build(TopologyContext context, Policies configured) {
    return addTo(new Topology(), context, configured);
  }

  /**
   * Builds it into a topology that somebody has settings for, such as one that is watched at work.
   *
   * @return the same topology
   */
  public static Topology addTo(Topology topology, TopologyContext context, Policies configured) {
    VolumeClaimsSubtopology.addTo(topology, context);
    LanesSubtopology.addTo(topology, context);
    ClusterSubtopology.addTo(topology, context, configured);
    return topology;
  }
}
