package dev.berth.bench.failover;

import dev.berth.bench.system.BenchVolume;
import java.time.Instant;
import java.util.Optional;

/**
 * A claim of the load.
 *
 * @param volume the volume, with the alloc that claims it
 * @param at when it was asked
 * @param granted when the scheduler had the grant; empty while it has none
 */
record Claimed(BenchVolume volume, Instant at, Optional<Instant> granted) {}
