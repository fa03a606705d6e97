package dev.berth.streams.work;

import dev.berth.records.DriftKind;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A difference between what Berth keeps and what a plugin lists.
 *
 * @param plugin plugin id
 * @param externalVolume the provider's volume id; null when no volume is concerned
 * @param externalNode the provider's node id; null when no node is concerned
 * @param volumeKey namespace/volume; null when no volume is concerned
 * @param kind what differs
 * @param message what was seen and what Berth does about it, for people
 * @param at when it was found
 */
public record Drift(
    String plugin,
    @Nullable String externalVolume,
    @Nullable String externalNode,
    @Nullable String volumeKey,
    DriftKind kind,
    String message,
    Instant at) {}
