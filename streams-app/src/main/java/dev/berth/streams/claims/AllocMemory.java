package dev.berth.streams.claims;

import dev.berth.records.AllocFate;
import java.time.Instant;

/**
 * An alloc that has no claim on the volume, remembered as long as its events may be replayed.
 *
 * @param key volume
 * @param alloc alloc id
 * @param scheduler scheduler of the alloc
 * @param index highest index seen
 * @param fate what became of it
 * @param at when that was learnt
 */
public record AllocMemory(
    VolumeKey key, String alloc, String scheduler, long index, AllocFate fate, Instant at) {}
