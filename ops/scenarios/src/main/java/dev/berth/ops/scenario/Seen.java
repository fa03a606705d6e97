package dev.berth.ops.scenario;

import dev.berth.schemas.topics.Topic;
import java.time.Instant;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** A record as it was written; read only when somebody looks at it. */
final class Seen {
  private final Instant at;
  private final Topic topic;
  private final String key;
  private final byte @Nullable [] bytes;
  private final Supplier<@Nullable SpecificRecord> reader;
  private @Nullable SpecificRecord read;
  private boolean unreadable;

  Seen(
      Instant at,
      Topic topic,
      @Nullable String key,
      byte @Nullable [] bytes,
      Supplier<@Nullable SpecificRecord> reader) {
    this.at = at;
    this.topic = topic;
    this.key = key == null ? "" : key;
    this.bytes = bytes;
    this.reader = reader;
  }

  /** When it was written. */
  Instant at() {
    return at;
  }

  Topic topic() {
    return topic;
  }

  /** Its key; empty when it has none. */
  String key() {
    return key;
  }

  /** Its bytes; null for a tombstone. */
  byte @Nullable [] bytes() {
    return bytes;
  }

  /** Its value; null for a tombstone and for bytes that are no record of ours. */
  @Nullable SpecificRecord value() {
    if (read == null && bytes != null && !unreadable) {
      try {
        read = reader.get();
      } catch (RuntimeException e) {
        // What a step 'raw' wrote, for example.
        unreadable = true;
      }
    }
    return read;
  }
}
