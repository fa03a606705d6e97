package dev.berth.streams.claims;

import java.time.Instant;

/**
 * When a volume is to be looked at again.
 *
 * @param subject namespace/volume
 * @param at when
 */
public record Wake(String subject, Instant at) {}
