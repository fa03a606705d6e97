package dev.berth.producers.feed;

/**
 * A feed cannot go on. What was said stands, and so does the position: another run of the same feed
 * goes on from there.
 */
public final class FeedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  FeedException(String message) {
    super(message);
  }

  FeedException(String message, Throwable cause) {
    super(message, cause);
  }
}
