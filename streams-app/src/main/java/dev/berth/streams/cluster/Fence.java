package dev.berth.streams.cluster;

import java.time.Instant;

/**
 * An operator's word that a node can no longer write.
 *
 * @param by author
 * @param reason why
 * @param at when it was given
 */
public record Fence(String by, String reason, Instant at) {}
