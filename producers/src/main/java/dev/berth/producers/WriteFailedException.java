package dev.berth.producers;

/**
 * A statement was not confirmed. Unless the message says that it was refused, it may have been
 * written all the same: say it again, which does no harm.
 */
public final class WriteFailedException extends RuntimeException {

  WriteFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
