package dev.berth.streams.lanes;

/**
 * Who has a (plugin, external id).
 *
 * @param volumeKey namespace/volume
 */
public record ExternalIdHolder(String volumeKey) {}
