package dev.berth.streams.claims;

import dev.berth.records.AllocFate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An alloc that has no claim on the volume, remembered as long as its events may be replayed.
 *
 * @param key volume
 * @param alloc alloc id
 * @param scheduler scheduler of the alloc
 * @param index highest index seen
 * @param fate what became of it
 * @param uncleanNode node that was fenced while the volume was mounted there for the alloc, until
 *     its unmount is reported; null when nothing is owed
 * @param at when that was learnt
 */
public record AllocMemory(
    VolumeKey key,
    String alloc,
    String scheduler,
    long index,
    AllocFate fate,
    @Nullable String uncleanNode,
    Instant at) {

  AllocMemory clean(long index) {
    return new AllocMemory(key, alloc, scheduler, index, fate, null, at);
  }
}
