package dev.berth.producers.trace;

import dev.berth.records.AccessMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a plan will do, counted.
 *
 * @param pods pods of the trace
 * @param neverScheduled pods that were never scheduled and claim nothing
 * @param unplaced names of the pods that fit on no node and claim nothing
 * @param allocs allocs
 * @param claims claims
 * @param claimsOfPlugin claims by plugin id
 * @param claimsOfAccess claims by access mode
 * @param volumesOfPlugin volumes by plugin id
 * @param failing allocs that fail
 * @param withTwoVolumes allocs with two volumes
 * @param waits allocs that wait for a volume in trace time
 * @param moves times a volume with one user at a time goes to a user on another node
 * @param sharedAtOnce volumes that were used by several allocs at one time
 * @param nodes nodes in use
 * @param mostLive the most allocs that live at one time
 * @param span from the first claim to the last end, in trace time
 */
public record TraceSummary(
    int pods,
    int neverScheduled,
    List<String> unplaced,
    int allocs,
    int claims,
    Map<String, Integer> claimsOfPlugin,
    Map<AccessMode, Integer> claimsOfAccess,
    Map<String, Integer> volumesOfPlugin,
    int failing,
    int withTwoVolumes,
    int waits,
    int moves,
    int sharedAtOnce,
    int nodes,
    int mostLive,
    Duration span) {

  /** Copies its collections. */
  public TraceSummary {
    unplaced = List.copyOf(unplaced);
    claimsOfPlugin = Map.copyOf(claimsOfPlugin);
    claimsOfAccess = Map.copyOf(claimsOfAccess);
    volumesOfPlugin = Map.copyOf(volumesOfPlugin);
  }

  /** Counts a plan. */
  public static TraceSummary of(TracePlan plan) {
    Map<String, Integer> claimsOfPlugin = new TreeMap<>();
    Map<AccessMode, Integer> claimsOfAccess = new TreeMap<>();
    for (TraceAlloc alloc : plan.allocs()) {
      for (TraceUse use : alloc.uses()) {
        claimsOfPlugin.merge(use.volume().plugin(), 1, Integer::sum);
        claimsOfAccess.merge(use.volume().access(), 1, Integer::sum);
      }
    }
    Map<String, Integer> volumesOfPlugin = new TreeMap<>();
    plan.volumes().forEach(volume -> volumesOfPlugin.merge(volume.plugin(), 1, Integer::sum));
    return new TraceSummary(
        plan.trace().pods().size(),
        plan.neverScheduled(),
        plan.unplaced(),
        plan.allocs().size(),
        plan.claims(),
        claimsOfPlugin,
        claimsOfAccess,
        volumesOfPlugin,
        (int) plan.allocs().stream().filter(alloc -> alloc.end() == TraceEnd.FAILS).count(),
        (int) plan.allocs().stream().filter(alloc -> alloc.uses().size() > 1).count(),
        plan.waits(),
        moves(plan),
        sharedAtOnce(plan),
        plan.nodes().size(),
        plan.mostLive(),
        plan.span());
  }

  private static int moves(TracePlan plan) {
    Map<String, String> lastNode = new HashMap<>();
    int moves = 0;
    for (TraceAlloc alloc : plan.allocs()) {
      TraceVolume volume = alloc.uses().get(0).volume();
      if (volume.access() == AccessMode.SINGLE_NODE_WRITER) {
        String before = lastNode.put(volume.id(), alloc.node());
        moves += before != null && !before.equals(alloc.node()) ? 1 : 0;
      }
    }
    return moves;
  }

  private static int sharedAtOnce(TracePlan plan) {
    Map<String, Integer> users = new HashMap<>();
    Set<String> shared = new HashSet<>();
    for (TraceStep step : plan.steps()) {
      for (TraceUse use : plan.allocs().get(step.alloc()).uses()) {
        TraceVolume volume = use.volume();
        boolean claims = step.kind() == TraceStep.Kind.CLAIM;
        int now = users.merge(volume.id(), claims ? 1 : -1, Integer::sum);
        if (now > 1 && volume.access() != AccessMode.SINGLE_NODE_WRITER) {
          shared.add(volume.id());
        }
      }
    }
    return shared.size();
  }
}
