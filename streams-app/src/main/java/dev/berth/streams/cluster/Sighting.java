package dev.berth.streams.cluster;

import java.time.Instant;

/**
 * When an instance was last reported. Kept apart from its view, because it changes with every
 * report and nobody else needs it.
 *
 * @param worker worker that reported it, never empty
 * @param heardAt when {@code Cluster} read the report
 */
public record Sighting(String worker, Instant heardAt) {}
