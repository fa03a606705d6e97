package dev.berth.producers;

/** The library was closed before an answer came, or is asked for something after that. */
public final class ClosedException extends IllegalStateException {

  ClosedException(String message) {
    super(message);
  }
}
