package dev.berth.ops.demo;

import dev.berth.producers.trace.TracePlan;

/**
 * The size of a plan.
 *
 * @param trace where it is from
 * @param allocs allocs that claim (count)
 * @param claims their claims (count)
 * @param volumes volumes that they use (count)
 * @param nodes nodes that they run on (count)
 * @param neverScheduled pods of the trace that were never scheduled and claim nothing (count)
 * @param unplaced pods of the trace that fit on no node and claim nothing (count)
 */
public record PlanFacts(
    String trace,
    int allocs,
    int claims,
    int volumes,
    int nodes,
    int neverScheduled,
    int unplaced) {

  /** Those of a plan. */
  static PlanFacts of(TracePlan plan) {
    return new PlanFacts(
        plan.trace().source(),
        plan.allocs().size(),
        plan.claims(),
        plan.volumes().size(),
        plan.nodes().size(),
        plan.neverScheduled(),
        plan.unplaced().size());
  }
}
