package dev.berth.producers.trace;

import java.time.Duration;

/**
 * One event of a plan.
 *
 * @param at when, from the beginning of the trace
 * @param kind what
 * @param alloc number of the alloc
 */
public record TraceStep(Duration at, Kind kind, int alloc) {

  /** What happens. */
  public enum Kind {
    /** The alloc claims its volumes. */
    CLAIM,
    /** The alloc has to end. */
    END
  }
}
