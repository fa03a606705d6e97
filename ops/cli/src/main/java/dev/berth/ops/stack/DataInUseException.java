package dev.berth.ops.stack;

/** The data directory belongs to another stack that runs. */
public final class DataInUseException extends RuntimeException {

  /** Says who uses it and what to do. */
  DataInUseException(String message) {
    super(message);
  }
}
