package dev.berth.ops.record;

import dev.berth.schemas.topics.Topic;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that a topic still holds.
 *
 * @param topic its topic
 * @param at when it was written or, where the record itself says so, when what it tells happened
 * @param key its key; empty when it has none
 * @param value its value; null for a tombstone
 */
public record Kept(Topic topic, Instant at, String key, @Nullable SpecificRecord value) {}
