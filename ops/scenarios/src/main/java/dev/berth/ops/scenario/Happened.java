package dev.berth.ops.scenario;

import dev.berth.workers.call.CallResult;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What happened at the edges of the world, one thing after the other; the standing rules read it.
 */
sealed interface Happened {
  /** A record was written, by whomever. */
  record Written(Seen record) implements Happened {}

  /** A plugin was called. */
  record Called(Rpc rpc) implements Happened {}

  /**
   * A call ended.
   *
   * @param rpc which
   * @param result what its caller was told; null when the caller crashed and nobody was
   */
  record Ended(Rpc rpc, @Nullable CallResult result) implements Happened {}

  /** The records among it. */
  static Stream<Seen> records(List<Happened> story) {
    return story.stream()
        .filter(Written.class::isInstance)
        .map(written -> ((Written) written).record());
  }
}
