package dev.berth.schemas.serde;

import org.apache.kafka.common.errors.SerializationException;

/**
 * Bytes on a topic are not a record of ours and never will be: too short, without the leading zero,
 * written with a schema that the registry does not know or that cannot be resolved to ours, or
 * broken Avro.
 *
 * <p>Belongs on the dead-letter topic. Its message never holds the bytes.
 */
public final class UnreadableRecordException extends SerializationException {

  UnreadableRecordException(String message) {
    super(message);
  }

  UnreadableRecordException(String message, Throwable cause) {
    super(message, cause);
  }
}
