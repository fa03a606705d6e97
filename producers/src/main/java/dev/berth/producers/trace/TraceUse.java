package dev.berth.producers.trace;

import dev.berth.records.ClaimMode;

/**
 * What an alloc wants of a volume.
 *
 * @param volume the volume
 * @param mode read or write
 */
public record TraceUse(TraceVolume volume, ClaimMode mode) {}
