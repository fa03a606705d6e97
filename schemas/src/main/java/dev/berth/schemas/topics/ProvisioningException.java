package dev.berth.schemas.topics;

/** Topics could not be created or examined. The message says what was tried and what would help. */
public final class ProvisioningException extends RuntimeException {

  ProvisioningException(String message, Throwable cause) {
    super(message, cause);
  }
}
