package dev.berth.ops.topics;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A record of a topic, to be shown.
 *
 * @param partition where it is
 * @param offset its offset there
 * @param at when it was written, by the topic's clock or the writer's
 * @param key its key; empty where it has none
 * @param value its value, see {@link RecordJson}; JSON's null for a tombstone
 * @param headers its headers as text, by name
 * @param unreadable why the value cannot be read, {@code value} then being its bytes; empty when it
 *     can
 */
public record TopicRecord(
    int partition,
    long offset,
    Instant at,
    Optional<String> key,
    JsonNode value,
    Map<String, String> headers,
    Optional<String> unreadable) {

  /** Copies its collections. */
  public TopicRecord {
    headers = Map.copyOf(headers);
  }
}
