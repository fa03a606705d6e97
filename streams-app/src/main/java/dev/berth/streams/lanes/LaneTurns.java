package dev.berth.streams.lanes;

import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which call of a lane goes next. One attempt at a time: two calls for different volumes of one
 * host break real providers (aws-ebs-csi-driver#528). First in, first out within attaches and
 * within detaches; the two share the lane by weight, so that a burst of one cannot starve the other
 * (external-attacher#761).
 */
final class LaneTurns {
  private LaneTurns() {}

  /** Starts what can be started in the lanes that were touched. */
  static void startAll(LanesDraft draft) {
    // Starting a lane can hold or settle calls but adds none to a line, so one round is enough.
    ArrayDeque<String> lanes = draft.takeLanesToStart();
    lanes.forEach(lane -> start(draft, lane));
  }

  private static void start(LanesDraft draft, String lane) {
    String plugin = LaneTables.pluginOf(lane);
    while (!draft.lane(lane).open() && mayStart(draft, plugin, lane)) {
      LaneCall next = next(draft, plugin, lane, draft.lane(lane).turn());
      if (next == null) {
        // A lane that has nothing to do has no turn to remember.
        draft.store(lane, Lane.IDLE);
        return;
      }
      tryNow(draft, lane, next);
    }
  }

  private static void tryNow(LanesDraft draft, String lane, LaneCall call) {
    // Looked at again: what was true when the call joined the line may not be now.
    Readiness readiness = Readiness.of(draft, call, List.of());
    if (readiness instanceof Readiness.Blocked blocked) {
      Retries.fail(draft, call, blocked.failure());
    } else if (readiness instanceof Readiness.Ready ready) {
      Run run = Run.begin(draft, lane, call, ready, List.of());
      Lane opened = draft.lane(lane).opened(run.attemptId(), call.kind());
      draft.store(lane, opened);
      fill(draft, lane, opened, run);
      run.dispatch(draft);
    } else {
      Retries.nothingToCall(draft, call);
    }
  }

  /**
   * Lets the calls whose turn comes next share the record, up to the first that may not. They have
   * had their turns only when the run got to them ({@link Attempts}): if those that it stops before
   * had, each detach that hangs could be followed by another, and the attach between them by none.
   */
  private static void fill(LanesDraft draft, String lane, Lane opened, Run run) {
    String plugin = LaneTables.pluginOf(lane);
    Lane taken = opened;
    while (run.hasRoom()) {
      LaneCall next = next(draft, plugin, lane, taken.turn());
      if (next == null || !run.take(draft, next)) {
        return;
      }
      taken = taken.took(next.kind());
    }
  }

  /**
   * Asks the next instance in the same turn, for a call that never reached the one before (S49).
   *
   * @return whether there was one
   */
  static boolean tryNextInstance(LanesDraft draft, LaneCall call, Place.Open open) {
    Readiness readiness = Readiness.of(draft, call, open.tried());
    if (!(readiness instanceof Readiness.Ready ready)) {
      return false;
    }
    Run run = Run.begin(draft, open.lane(), call, ready, open.tried());
    draft.store(open.lane(), draft.lane(open.lane()).reopened(run.attemptId()));
    run.dispatch(draft);
    return true;
  }

  /**
   * Whether a lane may start: after its plugin's lane scope changed, controller lanes wait until no
   * attempt of the old scope is open, or two lanes would overlap that are now one.
   */
  private static boolean mayStart(LanesDraft draft, String plugin, String lane) {
    PluginLanes lanes = draft.plugin(plugin);
    if (lanes.paused()) {
      return false;
    }
    if (!lanes.draining() || LaneTables.ofNodeCalls(lane)) {
      return true;
    }
    boolean drained = LaneScopes.drained(draft, lanes);
    if (drained) {
      draft.store(lanes.withScope(lanes.scope(), false));
    }
    return drained;
  }

  private static @Nullable LaneCall next(
      LanesDraft draft, String plugin, String lane, Lane.@Nullable Turn turn) {
    List<Head> heads = heads(draft, plugin, lane);
    List<Head> well = heads.stream().filter(head -> !head.yields()).toList();
    Head head = share(well.isEmpty() ? heads : well, turn, draft.policy(plugin));
    if (head == null) {
      return null;
    }
    LaneCall call = draft.get(LaneTables.REQUESTS, head.entry().value().requestId());
    if (call == null) {
      draft.remove(LaneTables.QUEUE, head.entry().key());
      return next(draft, plugin, lane, turn);
    }
    return call;
  }

  /** First call of a kind, and whether it should let others go first. */
  private record Head(LaneKind kind, State.Entry<QueueEntry> entry, boolean yields) {
    long position() {
      String key = entry.key();
      return Long.parseLong(key.substring(key.lastIndexOf('/') + 1));
    }
  }

  private static List<Head> heads(LanesDraft draft, String plugin, String lane) {
    List<Head> heads = new ArrayList<>();
    for (LaneKind kind : LaneTables.kinds(lane)) {
      Head head = head(draft, plugin, kind, LaneTables.queue(lane, kind));
      if (head != null) {
        heads.add(head);
      }
    }
    return heads;
  }

  /** The first call whose node does not yield, else the first. */
  private static @Nullable Head head(
      LanesDraft draft, String plugin, LaneKind kind, String prefix) {
    State.Entry<QueueEntry> first = draft.front(prefix);
    State.Entry<QueueEntry> entry = first;
    while (entry != null && Breakers.yields(draft, plugin, entry.value().node())) {
      entry = draft.state().ceiling(LaneTables.QUEUE, prefix, entry.key() + '\0');
    }
    if (entry != null) {
      return new Head(kind, entry, false);
    }
    return first == null ? null : new Head(kind, first, true);
  }

  /** Shares the lane between the kinds that wait; without a turn the one that came first goes. */
  private static @Nullable Head share(List<Head> heads, Lane.@Nullable Turn turn, Policy policy) {
    Head chosen = null;
    for (Head head : heads) {
      if (chosen == null || before(head, chosen, turn, policy)) {
        chosen = head;
      }
    }
    return chosen;
  }

  private static boolean before(Head head, Head other, Lane.@Nullable Turn turn, Policy policy) {
    if (turn == null || (turn.kind() != head.kind() && turn.kind() != other.kind())) {
      return head.position() < other.position();
    }
    int weight =
        turn.kind() == LaneKind.ATTACH ? policy.weights().attach() : policy.weights().detach();
    boolean goesOn = turn.used() < weight;
    return goesOn == (turn.kind() == head.kind());
  }
}
