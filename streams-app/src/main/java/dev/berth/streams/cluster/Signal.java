package dev.berth.streams.cluster;

import java.time.Instant;

/**
 * A signal as it stands on {@code volume-signals} and {@code lane-signals}.
 *
 * @param at when it was decided
 * @param body what changed
 */
public record Signal(Instant at, ClusterSignal body) {}
