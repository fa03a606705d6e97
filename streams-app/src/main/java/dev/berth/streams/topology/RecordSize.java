package dev.berth.streams.topology;

import dev.berth.schemas.topics.Topic;
import org.jspecify.annotations.Nullable;

/**
 * What the brokers take. A record that they refuse aborts the transaction that it is in, and the
 * same record would be made again, for ever: so one is refused here, before anything is written.
 */
final class RecordSize {
  /** Room for a record's key, headers and framing, and for what a batch adds (bytes). */
  private static final int ROOM = 64 * 1024;

  private static final int LARGEST = Topic.LARGEST_RECORD - ROOM;

  private RecordSize() {}

  /**
   * Lets a value pass.
   *
   * @param topic topic it is for
   * @param value null for a tombstone
   * @throws IllegalStateException when no broker would take it
   */
  static byte @Nullable [] checked(String topic, byte @Nullable [] value) {
    if (value != null && value.length > LARGEST) {
      throw new IllegalStateException(
          "a record of %d bytes for %s follows from this one; %d are allowed"
              .formatted(value.length, topic, LARGEST));
    }
    return value;
  }

  /** Whether a record that came from elsewhere, compressed perhaps, can be written as it is. */
  static boolean fits(byte @Nullable [] value) {
    return value == null || value.length <= LARGEST;
  }
}
