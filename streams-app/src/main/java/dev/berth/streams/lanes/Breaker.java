package dev.berth.streams.lanes;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Failures in a row of the controller calls for one node.
 *
 * @param failures failures in a row (count)
 * @param trialAt when a call for the node may go before those of others again; null while they need
 *     not yield
 */
public record Breaker(int failures, @Nullable Instant trialAt) {
  static final Breaker CLOSED = new Breaker(0, null);

  /** Whether calls for the node let those of other nodes go first. */
  boolean yields(Instant now) {
    return trialAt != null && now.isBefore(trialAt);
  }
}
