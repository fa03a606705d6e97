package dev.berth.producers.trace;

import org.jspecify.annotations.Nullable;

/**
 * A replay cannot go on. What was said stands, and so does the position: another replay of the same
 * feed goes on from there.
 */
public final class ReplayFailedException extends RuntimeException {

  ReplayFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
