package dev.berth.workers.call;

import dev.berth.records.Outcome;
import dev.berth.schemas.headers.StepTimes;
import java.util.concurrent.CompletableFuture;

/** Where outcomes go. */
@FunctionalInterface
public interface OutcomeSink {

  /**
   * Writes an outcome, however long it takes.
   *
   * @param times times of the steps before it, for its headers
   * @return completes when it is written, never exceptionally
   */
  CompletableFuture<Void> report(Outcome outcome, StepTimes times);
}
