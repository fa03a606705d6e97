package dev.berth.streams.lanes;

import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.kernel.State;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Attach slots of a plugin on a node.
 *
 * @param plugin plugin id
 * @param node node (scheduler's id)
 * @param maxVolumes most volumes (count); null when unlimited or unknown
 * @param inUse attachments that count: queued to attach, attaching, attached, uncertain, detaching
 * @param at when it was so
 */
public record NodeSlots(
    String plugin, String node, @Nullable Long maxVolumes, long inUse, Instant at) {

  /**
   * The slots of a plugin on a node.
   *
   * @param state the tables of {@link LaneTables} and of the cluster
   * @param at time to say it was so
   */
  public static NodeSlots of(State state, String plugin, String node, Instant at) {
    InstanceView instance = ClusterTables.nodeInstance(state, plugin, node);
    SlotCount count = state.get(LaneTables.SLOT_COUNTS, LaneTables.slotsOf(plugin, node));
    return new NodeSlots(
        plugin,
        node,
        instance == null ? null : instance.maxVolumes(),
        count == null ? 0 : count.inUse(),
        at);
  }
}
