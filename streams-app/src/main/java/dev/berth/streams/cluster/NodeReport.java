package dev.berth.streams.cluster;

import dev.berth.records.NodeStatus;
import java.time.Instant;

/**
 * What a scheduler says of a node.
 *
 * @param node node id (scheduler's)
 * @param scheduler scheduler that says it
 * @param status status; GONE says that the record was deleted
 * @param eligible whether new work is placed there
 * @param at when it was written, by the scheduler's clock: for display only
 */
public record NodeReport(
    String node, String scheduler, NodeStatus status, boolean eligible, Instant at) {}
