package dev.berth.producers.feed;

/** A line cannot be used; the message names field, value and remedy. */
final class InvalidLineException extends Exception {

  private static final long serialVersionUID = 1L;

  InvalidLineException(String message) {
    super(message);
  }

  InvalidLineException(String message, Throwable cause) {
    super(message, cause);
  }
}
