package dev.berth.ops.demo;

import dev.berth.ops.demo.ClaimStory.ClaimId;
import dev.berth.producers.trace.TraceAlloc;
import dev.berth.producers.trace.TracePlan;
import dev.berth.producers.trace.TraceUse;
import dev.berth.records.AccessMode;
import dev.berth.records.ClaimMode;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The claims that a plan makes. */
final class PlannedClaims {

  private PlannedClaims() {}

  /** All of them. */
  static Set<ClaimId> of(TracePlan plan) {
    return those(plan, use -> true);
  }

  /** Those that keep other writers of their volume out. */
  static Set<ClaimId> exclusive(TracePlan plan) {
    return those(plan, PlannedClaims::isExclusive);
  }

  private static Set<ClaimId> those(TracePlan plan, Predicate<TraceUse> wanted) {
    return plan.allocs().stream()
        .flatMap(alloc -> alloc.uses().stream().filter(wanted).map(use -> id(alloc, use)))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static ClaimId id(TraceAlloc alloc, TraceUse use) {
    return new ClaimId(alloc.id(), use.volume().id());
  }

  private static boolean isExclusive(TraceUse use) {
    AccessMode access = use.volume().access();
    return access == AccessMode.SINGLE_NODE_WRITER
        || (access == AccessMode.MULTI_NODE_SINGLE_WRITER && use.mode() == ClaimMode.WRITE);
  }
}
