package dev.berth.streams.lanes;

import dev.berth.records.HoldCode;
import dev.berth.records.RpcCode;
import dev.berth.streams.policy.Policy;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a call gets into line, how it is held and how it comes back. A call that cannot be made
 * counts like one that failed, and leaves its lane while it waits.
 */
final class Retries {
  private Retries() {}

  /** Puts a call at the end of the line, or holds it when it cannot be made now. */
  static void enterLane(LanesDraft draft, LaneCall call) {
    PluginLanes plugin = draft.plugin(call.plugin());
    PluginLanes.Pause pause = plugin.pause();
    if (pause != null) {
      holdPaused(draft, call, pause);
      return;
    }
    Readiness readiness = Readiness.of(draft, call, List.of());
    if (readiness instanceof Readiness.Blocked blocked) {
      fail(draft, call, blocked.failure());
    } else if (readiness instanceof Readiness.Ready ready) {
      LaneCall named = withExternalNode(call, ready.externalNode());
      boolean foundHere = call.call().externalNode() == null;
      if (foundHere && call.kind() == LaneKind.DETACH) {
        // Which machine it goes to was not known to those who decided it: others may use the volume
        // there by another name, so they decide again.
        withdrawn(draft, named);
      } else {
        join(draft, named, plugin);
      }
    } else {
      nothingToCall(draft, call);
    }
  }

  /** Puts a call that its run did not get to back where it was in line; nothing is counted. */
  static void backInLine(LanesDraft draft, LaneCall call, Place.Open open) {
    PluginLanes plugin = draft.plugin(call.plugin());
    PluginLanes.Pause pause = plugin.pause();
    if (open.withdrawn()) {
      withdrawn(draft, call);
    } else if (pause != null) {
      holdPaused(draft, call, pause);
    } else {
      String lane = LaneTables.lane(call, plugin.scope());
      draft.store(call.at(new Place.Queued(lane, open.position())));
      draft.startLater(lane);
    }
  }

  /**
   * Ends a controller call of a plugin that turns out not to attach. What an attempt before may
   * have done stays to be undone.
   */
  static void nothingToCall(LanesDraft draft, LaneCall call) {
    boolean mayExist = call.owesUndoing();
    done(draft, call, new Settlement.Done(RpcCode.UNIMPLEMENTED, false, Map.of(), mayExist));
  }

  /** Ends a call that is done. */
  static void done(LanesDraft draft, LaneCall call, Settlement.Done how) {
    draft.settle(call, how);
    draft.remove(call);
    if (call.kind() == LaneKind.ATTACH) {
      Slots.attachEnded(draft, call, true);
    } else if (call.kind() == LaneKind.DETACH) {
      Call detach = call.call();
      Slots.detached(draft, call.plugin(), detach.node(), detach.externalVolume());
    }
  }

  /** Ends a call that was taken back. */
  static void withdrawn(LanesDraft draft, LaneCall call) {
    draft.settle(call, new Settlement.Withdrawn(call.owesUndoing()));
    draft.remove(call);
    Slots.attachEnded(draft, call, call.owesUndoing());
  }

  /** Holds a call until its next try, and says so. */
  static void fail(LanesDraft draft, LaneCall call, Failure failure) {
    Policy policy = draft.policy(call);
    Budget budget = call.budget().after(failure, draft.now(), policy.maxAttempts());
    double spread = spread(call.requestId(), budget.failures());
    Instant next =
        Sortable.plus(draft.now(), budget.wait(failure.kind(), policy.backoff(), spread));
    hold(
        draft,
        call.with(budget),
        new Hold(
            failure.code(),
            failure.message(),
            failure.rpcCode(),
            budget.attempts(),
            Objects.requireNonNullElse(budget.firstFailure(), draft.now()),
            draft.now(),
            next,
            budget.stuck()));
  }

  /** Holds a call of a paused plugin until it is resumed; no attempt is used up. */
  static void holdPaused(LanesDraft draft, LaneCall call, PluginLanes.Pause pause) {
    String message = "plugin " + call.plugin() + " was paused by " + pause.by();
    hold(
        draft,
        call,
        uncounted(
            draft,
            call,
            HoldCode.PLUGIN_PAUSED,
            pause.reason().isEmpty() ? message : message + ": " + pause.reason()));
  }

  /** Shows a hold without moving the call: it is out, and nobody takes it. */
  static void showNoWorker(LanesDraft draft, LaneCall call, Attempt attempt) {
    String message =
        "no worker of group "
            + attempt.work().route()
            + " has accepted attempt "
            + attempt.id()
            + "; start one for plugin "
            + call.plugin();
    draft.settle(
        call,
        new Settlement.Held(
            uncounted(draft, call, HoldCode.NO_WORKER, message), call.mayHaveEffect()));
  }

  /** Says why a held call is held now; its attempts and its next try stay as they are. */
  static void holdOtherwise(LanesDraft draft, LaneCall call, Hold hold, Readiness.Blocked blocked) {
    hold(
        draft,
        call,
        new Hold(
            blocked.code(),
            blocked.message(),
            null,
            hold.attempts(),
            hold.firstFailure(),
            hold.lastFailure(),
            hold.nextRetry(),
            hold.stuck()));
  }

  static LaneCall withExternalNode(LaneCall call, @Nullable String externalNode) {
    return externalNode == null || externalNode.equals(call.call().externalNode())
        ? call
        : call.with(call.call().withExternalNode(externalNode));
  }

  private static void join(LanesDraft draft, LaneCall call, PluginLanes plugin) {
    PluginLanes joined = plugin.withJoin();
    draft.store(joined);
    String lane = LaneTables.lane(call, joined.scope());
    draft.store(call.at(new Place.Queued(lane, joined.joins())));
    draft.startLater(lane);
  }

  private static void hold(LanesDraft draft, LaneCall call, Hold hold) {
    draft.store(call.at(new Place.Held(hold)));
    draft.settle(call, new Settlement.Held(hold, call.mayHaveEffect()));
  }

  private static Hold uncounted(LanesDraft draft, LaneCall call, HoldCode code, String message) {
    Budget budget = call.budget();
    return new Hold(
        code,
        message,
        null,
        budget.attempts(),
        Objects.requireNonNullElse(budget.firstFailure(), draft.now()),
        Objects.requireNonNullElse(budget.lastFailure(), draft.now()),
        null,
        budget.stuck());
  }

  /**
   * Where in the jitter a wait falls: 0 to below 1, the same for the same call and failure, so that
   * a replay decides alike, and apart for calls that failed together.
   */
  static double spread(String requestId, int failures) {
    long mixed = (requestId.hashCode() * 31L + failures) * 0x9E3779B97F4A7C15L;
    mixed ^= mixed >>> 32;
    mixed *= 0xD6E8FEB86659FD93L;
    return (mixed >>> 11) * 0x1.0p-53;
  }
}
