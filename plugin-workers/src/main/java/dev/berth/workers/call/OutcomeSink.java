package dev.berth.workers.call;

import dev.berth.records.Outcome;
import java.util.concurrent.CompletableFuture;

/** Where outcomes go. */
@FunctionalInterface
public interface OutcomeSink {

  /**
   * Writes an outcome, however long it takes.
   *
   * @return completes when it is written, never exceptionally
   */
  CompletableFuture<Void> report(Outcome outcome);
}
