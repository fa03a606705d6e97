package dev.berth.streams.cluster;

import dev.berth.records.PluginRole;
import org.jspecify.annotations.Nullable;

/**
 * One instance of a plugin on one node.
 *
 * @param plugin plugin id
 * @param node node it runs on (scheduler's id)
 * @param role controller or node service
 * @param healthy whether its last health report was good and is not too old
 * @param healthText health in words; empty when well
 * @param route consumer group that may accept its work
 * @param endpoint where its worker reaches it; empty when only the worker knows
 * @param attach controller: advertises PUBLISH_UNPUBLISH_VOLUME
 * @param publishReadOnly controller: advertises PUBLISH_READONLY
 * @param listPublished controller: advertises LIST_VOLUMES_PUBLISHED_NODES
 * @param stage node: advertises STAGE_UNSTAGE_VOLUME
 * @param externalNode node: the provider's node id, never empty; null when unknown
 * @param maxVolumes node: most volumes (count); null when unlimited
 */
public record InstanceView(
    String plugin,
    String node,
    PluginRole role,
    boolean healthy,
    String healthText,
    String route,
    String endpoint,
    boolean attach,
    boolean publishReadOnly,
    boolean listPublished,
    boolean stage,
    @Nullable String externalNode,
    @Nullable Long maxVolumes) {

  /** Turns the CSI spellings of "unknown" and "unlimited" (empty, 0) into null. */
  public InstanceView {
    externalNode = externalNode == null || externalNode.isEmpty() ? null : externalNode;
    maxVolumes = maxVolumes == null || maxVolumes <= 0 ? null : maxVolumes;
  }

  /** Key of the instance: {@code plugin/controller@node} or {@code plugin/node@node}. */
  public String key() {
    return prefix(plugin, role) + node;
  }

  /** Prefix of the keys of a plugin's instances of one role. */
  public static String prefix(String plugin, PluginRole role) {
    return plugin + (role == PluginRole.CONTROLLER ? "/controller@" : "/node@");
  }
}
