package dev.berth.schemas.registry;

import org.apache.kafka.common.errors.RetriableException;

/**
 * The registry gave no answer to go by: it cannot be reached, it failed, or it did not let us in.
 *
 * <p>Says nothing about the record or schema in question. Wait and try again; never dead-letter a
 * record for it.
 */
public final class RegistryUnavailableException extends RetriableException {

  /**
   * @param message what was asked of which registry, without credentials
   * @param cause what the client saw
   */
  public RegistryUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
