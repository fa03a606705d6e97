package dev.berth.streams.cluster;

import dev.berth.records.PluginRole;
import dev.berth.streams.command.Command;
import dev.berth.streams.policy.NamedPolicy;

/** What {@code Cluster} decides about. */
public sealed interface ClusterEvent {

  /**
   * A scheduler says something of a node.
   *
   * @param report what it says
   */
  record NodeReported(NodeReport report) implements ClusterEvent {}

  /**
   * A node's record was deleted: a tombstone.
   *
   * @param node node id
   */
  record NodeDeleted(String node) implements ClusterEvent {}

  /**
   * A worker reports an instance, also that it is removed.
   *
   * @param report what it found
   */
  record InstanceReported(InstanceReport report) implements ClusterEvent {}

  /**
   * An instance's record was deleted: a tombstone.
   *
   * @param plugin plugin id
   * @param node node (scheduler's id)
   * @param role controller or node service
   */
  record InstanceDeleted(String plugin, String node, PluginRole role) implements ClusterEvent {
    /** Key of the instance, as in {@link ClusterTables#INSTANCES}. */
    public String key() {
      return InstanceView.prefix(plugin, role) + node;
    }
  }

  /**
   * A policy was published; it has not been checked yet.
   *
   * @param policy the policy
   */
  record PolicyReported(NamedPolicy policy) implements ClusterEvent {}

  /**
   * A policy's record was deleted: a tombstone.
   *
   * @param name name of the policy
   */
  record PolicyDeleted(String name) implements ClusterEvent {}

  /**
   * A command arrived.
   *
   * @param command the command
   */
  record CommandArrived(Command command) implements ClusterEvent {}

  /** Time has passed. */
  record Tick() implements ClusterEvent {}
}
