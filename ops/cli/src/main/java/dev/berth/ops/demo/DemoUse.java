package dev.berth.ops.demo;

import dev.berth.records.ClaimMode;

/**
 * An alloc's use of a volume.
 *
 * @param volume the volume
 * @param mode read or write
 */
public record DemoUse(DemoVolume volume, ClaimMode mode) {}
