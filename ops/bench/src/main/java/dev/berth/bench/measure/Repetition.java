package dev.berth.bench.measure;

import org.jspecify.annotations.Nullable;

/**
 * What one repetition gave.
 *
 * @param value what was measured
 * @param foreign share of the machine's processor time that others used meanwhile, 0 to 1; null
 *     when it is unknown or does not matter
 */
public record Repetition(double value, @Nullable Double foreign) {}
