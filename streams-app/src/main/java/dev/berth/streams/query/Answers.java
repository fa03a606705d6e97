package dev.berth.streams.query;

import dev.berth.proto.api.Freshness;
import java.util.List;

/**
 * Answers of some instances to one question.
 *
 * @param parts one for each instance that was asked
 * @param freshness how fresh they are together
 * @param <R> an answer
 */
record Answers<R>(List<R> parts, Freshness freshness) {
  /** Keeps a copy. */
  Answers {
    parts = List.copyOf(parts);
  }
}
