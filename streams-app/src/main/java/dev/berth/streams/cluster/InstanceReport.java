package dev.berth.streams.cluster;

import dev.berth.records.PluginHealth;
import dev.berth.records.PluginRole;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a worker found of a plugin instance.
 *
 * @param plugin plugin id
 * @param node node it runs on (scheduler's id)
 * @param role controller or node service
 * @param health health; REMOVED says that it closed cleanly
 * @param healthText health in words; empty when well
 * @param version vendor version; empty when unknown
 * @param route consumer group that may accept its work
 * @param endpoint where its worker reaches it; may be empty
 * @param worker worker that reports it, over and over; empty when nobody does
 * @param attach controller: advertises PUBLISH_UNPUBLISH_VOLUME
 * @param publishReadOnly controller: advertises PUBLISH_READONLY
 * @param listPublished controller: advertises LIST_VOLUMES_PUBLISHED_NODES
 * @param stage node: advertises STAGE_UNSTAGE_VOLUME
 * @param externalNode node: the provider's node id; null or empty when unknown
 * @param maxVolumes node: most volumes (count); null, 0 or less when unlimited
 * @param topology node: accessible topology segments, shown only
 * @param seenAt when the worker saw it, by the worker's clock: for display only
 */
public record InstanceReport(
    String plugin,
    String node,
    PluginRole role,
    PluginHealth health,
    String healthText,
    String version,
    String route,
    String endpoint,
    String worker,
    boolean attach,
    boolean publishReadOnly,
    boolean listPublished,
    boolean stage,
    @Nullable String externalNode,
    @Nullable Long maxVolumes,
    Map<String, String> topology,
    Instant seenAt) {

  /** Keeps a copy. */
  public InstanceReport {
    topology = Map.copyOf(topology);
  }

  /** Key of the instance, as in {@link ClusterTables#INSTANCES}. */
  public String key() {
    return InstanceView.prefix(plugin, role) + node;
  }

  InstanceView view() {
    return new InstanceView(
        plugin,
        node,
        role,
        health == PluginHealth.HEALTHY,
        healthText,
        route,
        endpoint,
        attach,
        publishReadOnly,
        listPublished,
        stage,
        externalNode,
        maxVolumes);
  }
}
