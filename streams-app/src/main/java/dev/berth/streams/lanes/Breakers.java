package dev.berth.streams.lanes;

import dev.berth.records.NodeStatus;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.kernel.State;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Circuit breakers per (plugin, node): slow failures for one sick node must not use up the lane
 * while calls for others wait (R20). After enough failures in a row its calls yield; one may go
 * first per backoff interval, to find out whether the node is well again.
 */
final class Breakers {
  private Breakers() {}

  static boolean yields(LanesDraft draft, String plugin, String node) {
    return of(draft, plugin, node).yields(draft.now());
  }

  /**
   * Whether the last calls for a node failed: it yields, or its next one is a trial. A trial is
   * likely to stop a run, and is used up when it is in a run that stops before it.
   */
  static boolean onTrial(LanesDraft draft, String plugin, String node) {
    return of(draft, plugin, node).trialAt() != null;
  }

  /** A call for a node goes out: while it yields, the next trial is an interval away. */
  static void dispatched(LanesDraft draft, LaneCall call) {
    Breaker breaker = of(draft, call.plugin(), call.call().node());
    if (call.call().toController() && breaker.trialAt() != null) {
      put(draft, call, new Breaker(breaker.failures(), nextTrial(draft, call, breaker.failures())));
    }
  }

  /** A call for a node ended. */
  static void ended(LanesDraft draft, LaneCall call, CallEnd end, boolean done) {
    if (!call.call().toController() || !end.sent()) {
      return;
    }
    int failures = of(draft, call.plugin(), call.call().node()).failures();
    put(draft, call, done ? null : failed(draft, call, Math.min(failures + 1, 1_000_000)));
  }

  /** Forgets the breakers of nodes that are no more. */
  static void collect(LanesDraft draft) {
    for (State.Entry<Breaker> entry : draft.state().scan(LaneTables.BREAKERS, "")) {
      String node = entry.key().substring(entry.key().indexOf('/') + 1);
      NodeView view = ClusterTables.node(draft.state(), node);
      if (view == null || view.status() == NodeStatus.GONE) {
        draft.remove(LaneTables.BREAKERS, entry.key());
      }
    }
  }

  private static Breaker failed(LanesDraft draft, LaneCall call, int failures) {
    boolean tripped = failures >= draft.policy(call.plugin()).breakerFailures();
    return new Breaker(failures, tripped ? nextTrial(draft, call, failures) : null);
  }

  private static Instant nextTrial(LanesDraft draft, LaneCall call, int failures) {
    int since = failures - draft.policy(call.plugin()).breakerFailures() + 1;
    return Sortable.plus(draft.now(), draft.policy(call).backoff().after(Math.max(1, since), 0));
  }

  private static Breaker of(LanesDraft draft, String plugin, String node) {
    Breaker breaker = draft.get(LaneTables.BREAKERS, plugin + "/" + node);
    return breaker == null ? Breaker.CLOSED : breaker;
  }

  private static void put(LanesDraft draft, LaneCall call, @Nullable Breaker breaker) {
    String key = call.plugin() + "/" + call.call().node();
    if (breaker == null) {
      draft.remove(LaneTables.BREAKERS, key);
    } else {
      draft.put(LaneTables.BREAKERS, key, breaker);
    }
  }
}
