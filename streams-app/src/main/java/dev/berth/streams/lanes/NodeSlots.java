package dev.berth.streams.lanes;

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
    String plugin, String node, @Nullable Long maxVolumes, long inUse, Instant at) {}
