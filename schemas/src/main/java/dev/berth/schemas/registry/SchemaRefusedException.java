package dev.berth.schemas.registry;

import org.apache.kafka.common.errors.SerializationException;

/**
 * The registry answered, and the answer is no: the schema is incompatible with its predecessor,
 * invalid, or not registered where only registered schemas may be written.
 *
 * <p>Trying again does not help; somebody has to change the schema or the registry.
 */
public final class SchemaRefusedException extends SerializationException {

  /**
   * @param message the subject, the reason and the remedy
   * @param cause the registry's answer
   */
  public SchemaRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
