package dev.berth.streams.cluster;

import dev.berth.records.PluginRole;
import dev.berth.streams.command.Command;
import dev.berth.streams.policy.Policies;

/**
 * A change that {@code VolumeClaims} and {@code Lanes} need to know. All but {@link PassedCommand}
 * go to every partition.
 */
public sealed interface ClusterSignal {

  /**
   * A node is new or changed. That it was deleted is a change like others: its status is GONE.
   *
   * @param node the node as it is now
   */
  record NodeChanged(NodeView node) implements ClusterSignal {}

  /**
   * A plugin instance is new or changed.
   *
   * @param instance the instance as it is now
   */
  record InstanceChanged(InstanceView instance) implements ClusterSignal {}

  /**
   * A plugin instance was removed.
   *
   * @param plugin plugin id
   * @param node node (scheduler's id)
   * @param role controller or node service
   */
  record InstanceRemoved(String plugin, String node, PluginRole role) implements ClusterSignal {
    /** Key of the instance, as in {@link ClusterTables#INSTANCES}. */
    public String key() {
      return InstanceView.prefix(plugin, role) + node;
    }
  }

  /**
   * A plugin record is new or changed.
   *
   * @param plugin the record as it is now
   */
  record PluginChanged(PluginView plugin) implements ClusterSignal {}

  /**
   * A plugin record was removed.
   *
   * @param plugin plugin id
   */
  record PluginRemoved(String plugin) implements ClusterSignal {}

  /**
   * Policies changed.
   *
   * @param policies all of them, as they are now
   */
  record PoliciesChanged(Policies policies) implements ClusterSignal {}

  /**
   * Collect garbage now.
   *
   * @param ignoreThresholds whether an operator asked, so that nothing has to be due for a while
   * @param by who asked; empty for the periodic pass
   */
  record GarbageCollection(boolean ignoreThresholds, String by) implements ClusterSignal {}

  /**
   * A command that another processor decides, passed on by the router; it goes to one partition.
   *
   * @param command the command as it came
   */
  record PassedCommand(Command command) implements ClusterSignal {}
}
