package dev.berth.streams.lanes;

import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.kernel.State;
import dev.berth.streams.lanes.LanesEffect.Dropped;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The life of an attempt: dispatched, accepted, over. The lane goes on only when no call of the
 * attempt can still be open: its outcome was read, or its time and the margin have passed since the
 * acceptance was read (DESIGN.md, "One open call").
 */
final class Attempts {
  private Attempts() {}

  /** A worker has accepted: the attempt's time runs from this reading. */
  static void accepted(LanesDraft draft, LanesEvent.Accepted event) {
    Attempt attempt = draft.get(LaneTables.ATTEMPTS, event.attemptId());
    if (attempt == null) {
      draft.emit(
          new Dropped(
              Dropped.Cause.ACCEPTANCE_OF_NO_OPEN_ATTEMPT,
              event.plugin(),
              event.attemptId(),
              event.acceptanceId()));
      return;
    }
    if (attempt.acceptance(event.acceptanceId()) != null) {
      return;
    }
    draft.store(
        attempt.with(
            new Attempt.Acceptance(
                event.acceptanceId(),
                event.worker(),
                draft.now(),
                allowance(draft, attempt, event.timeAllowed()),
                Map.of())));
  }

  /** A call has ended. */
  static void outcome(LanesDraft draft, LanesEvent.OutcomeArrived event) {
    Attempt attempt = draft.get(LaneTables.ATTEMPTS, event.attemptId());
    Optional<Dropped.Cause> doubt = doubt(attempt, event);
    if (attempt == null || doubt.isPresent()) {
      Dropped.Cause cause = doubt.orElse(Dropped.Cause.OUTCOME_OF_NO_OPEN_ATTEMPT);
      draft.emit(new Dropped(cause, event.plugin(), event.attemptId(), event.acceptanceId()));
      return;
    }
    if (event.end().sent()) {
      // Not where calls settle: the silence of a worker says nothing of the plugin's speed.
      LaneKind kind = attempt.kind(event.callIndex());
      draft.store(draft.plugin(attempt.work().plugin()).measured(kind, event.end().took()));
    }
    Attempt.Acceptance known = attempt.acceptance(event.acceptanceId());
    Attempt.Acceptance acceptance =
        known != null ? known : unread(draft, attempt, event.acceptanceId());
    settle(draft, attempt, attempt.with(acceptance.ended(event.callIndex(), event.end())));
  }

  /** An attempt is to be looked at. */
  static void due(LanesDraft draft, Attempt attempt) {
    if (!attempt.timed()) {
      nobodyAccepts(draft, attempt);
      return;
    }
    Attempt timedOut = attempt;
    for (Attempt.Acceptance acceptance : attempt.acceptances()) {
      if (attempt.open(acceptance) && !acceptance.deadline().isAfter(draft.now())) {
        timedOut = timedOut.with(unheard(draft, attempt, acceptance));
      }
    }
    settle(draft, attempt, timedOut);
  }

  /**
   * A new owner cannot know how long the old one was gone: calls may have been accepted just
   * before. Nobody can after the clock was set. Every open call gets its full time again.
   */
  static void countAnew(LanesDraft draft) {
    for (State.Entry<Attempt> entry : draft.state().scan(LaneTables.ATTEMPTS, "")) {
      draft.store(entry.value().anew(draft.now()));
      outdate(draft, entry.value());
    }
  }

  /**
   * A node has changed: work that was meant for it as it was before, and that nobody has accepted,
   * must not keep its calls from what the claims decide now.
   */
  static void nodeChanged(LanesDraft draft, String node) {
    for (State.Entry<PluginLanes> plugin : draft.state().scan(LaneTables.PLUGIN_LANES, "")) {
      String lanes = LaneTables.nodeLanes(plugin.value().plugin(), node);
      for (State.Entry<Lane> lane : draft.state().scan(LaneTables.LANES, lanes)) {
        String id = lane.value().attemptId();
        Attempt attempt = id == null ? null : draft.get(LaneTables.ATTEMPTS, id);
        if (attempt != null) {
          outdate(draft, attempt);
        }
      }
    }
  }

  private static void outdate(LanesDraft draft, Attempt attempt) {
    Work work = attempt.work();
    boolean ofNode = LaneTables.ofNodeCalls(work.lane());
    if (ofNode && !attempt.timed() && isPast(draft, work)) {
      draft.store(attempt.outdated(draft.now(), allowance(draft, attempt, work.timeout())));
    }
  }

  /** As the node's worker judges it, which refuses such work: no node comes back as it was. */
  private static boolean isPast(LanesDraft draft, Work work) {
    NodeView node = ClusterTables.node(draft.state(), work.instanceNode());
    if (node == null) {
      return false;
    }
    boolean over =
        switch (node.status()) {
          case DOWN, GONE -> true;
          case DISCONNECTED, UNRECOGNIZED -> node.fenced();
          case READY -> false;
        };
    return over || node.incarnation() > work.nodeIncarnation();
  }

  private static Optional<Dropped.Cause> doubt(
      @Nullable Attempt attempt, LanesEvent.OutcomeArrived event) {
    if (attempt == null) {
      return Optional.of(Dropped.Cause.OUTCOME_OF_NO_OPEN_ATTEMPT);
    }
    if (event.callIndex() < 0
        || event.callIndex() >= attempt.size()
        || !attempt.requestId(event.callIndex()).equals(event.requestId())) {
      return Optional.of(Dropped.Cause.OUTCOME_OF_OTHER_CALL);
    }
    Attempt.Acceptance acceptance = attempt.acceptance(event.acceptanceId());
    if (acceptance == null) {
      return attempt.accepted()
          ? Optional.of(Dropped.Cause.OUTCOME_OF_OTHER_ACCEPTANCE)
          : Optional.empty();
    }
    return acceptance.ends().containsKey(event.callIndex())
        ? Optional.of(Dropped.Cause.OUTCOME_REPEATED)
        : Optional.empty();
  }

  /**
   * The acceptance of an outcome that was read before it. They travel on two topics, and an outcome
   * can overtake; a worker reports only under an acceptance that is committed, so the outcome
   * proves it. Other calls of its run may be open, so that it gets its full time from now.
   */
  private static Attempt.Acceptance unread(LanesDraft draft, Attempt attempt, String acceptanceId) {
    Duration allowance = allowance(draft, attempt, attempt.work().timeout());
    return new Attempt.Acceptance(acceptanceId, "", draft.now(), allowance, Map.of());
  }

  /** Every call of a run whose worker fell silent may have been made, but for those it told of. */
  private static Attempt.Acceptance unheard(
      LanesDraft draft, Attempt attempt, Attempt.Acceptance acceptance) {
    CallEnd unheard =
        acceptance.onlySupposed()
            ? CallEnd.outdated(attempt.work(), acceptance.readAt(), draft.now())
            : CallEnd.unheard(acceptance.worker(), acceptance.readAt(), draft.now());
    Attempt.Acceptance ended = acceptance;
    for (int index = 0; index < attempt.size(); index++) {
      ended = ended.ends().containsKey(index) ? ended : ended.ended(index, unheard);
    }
    return ended;
  }

  private static Duration allowance(LanesDraft draft, Attempt attempt, Duration timeAllowed) {
    // Never shorter than what was asked for, whatever the worker says it allows itself.
    Duration allowed = attempt.work().timeout();
    if (timeAllowed.compareTo(allowed) > 0) {
      allowed = timeAllowed.compareTo(CallEnd.LONGEST) > 0 ? CallEnd.LONGEST : timeAllowed;
    }
    return allowed.plus(draft.policy(attempt.work().plugin()).settleMargin());
  }

  private static void nobodyAccepts(LanesDraft draft, Attempt attempt) {
    if (attempt.noWorkerShown()) {
      Attempt again =
          new Attempt(attempt.work().dispatchedAt(draft.now()), attempt.acceptances(), true);
      draft.store(again);
      draft.emit(new LanesEffect.Dispatch(again.work()));
    } else {
      draft.store(new Attempt(attempt.work(), attempt.acceptances(), true));
      for (int index = 0; index < attempt.size(); index++) {
        LaneCall call = out(draft, attempt, index);
        if (call != null) {
          Retries.showNoWorker(draft, call, attempt);
        }
      }
    }
  }

  /**
   * Goes on from what has become known of an attempt: calls that were made settle at once, the lane
   * goes on when the attempt is over.
   */
  private static void settle(LanesDraft draft, Attempt before, Attempt known) {
    boolean over = known.over();
    String lane = known.work().lane();
    if (over) {
      draft.remove(known);
      draft.store(lane, draft.lane(lane).closed());
    } else {
      draft.store(known);
    }
    for (int index = 0; index < known.size(); index++) {
      CallEnd end = known.end(index).orElse(null);
      // The row of a call is asked for last: a long run looks here at all of its calls each time.
      if (end != null && end.sent() && before.end(index).isEmpty()) {
        LaneCall call = out(draft, known, index);
        if (call != null) {
          Ends.made(draft, call, known.work().calls().get(index).call(), end);
        }
      }
    }
    if (over) {
      neverMade(draft, known);
      draft.startLater(lane);
      if (draft.plugin(known.work().plugin()).draining()) {
        LaneScopes.startAllOf(draft, known.work().plugin());
      }
    }
  }

  /**
   * The calls that were never made, in their order, once none of the run is open. The first that
   * did not get through is tried elsewhere at once; those behind it would fail the same way, so
   * they go back to their places in line, as do those that the run did not get to. All others have
   * had their turns, the first of them when the attempt went out.
   */
  private static void neverMade(LanesDraft draft, Attempt attempt) {
    String lane = attempt.work().lane();
    boolean blocked = false;
    for (int index = 0; index < attempt.size(); index++) {
      LaneCall call = out(draft, attempt, index);
      CallEnd end = attempt.end(index).orElse(null);
      boolean back = end != null && (end.notGotTo() || (blocked && end.notGotThrough()));
      if (index > 0 && !back) {
        draft.store(lane, draft.lane(lane).took(attempt.kind(index)));
      }
      if (call != null && end != null && call.place() instanceof Place.Open open) {
        if (back) {
          Retries.backInLine(draft, call, open);
        } else {
          Ends.neverMade(draft, call, open, end);
        }
        blocked |= end.notGotThrough();
      }
    }
  }

  /** The call of a run as far as it is still out under this attempt; null when it is settled. */
  private static @Nullable LaneCall out(LanesDraft draft, Attempt attempt, int index) {
    LaneCall call = draft.get(LaneTables.REQUESTS, attempt.requestId(index));
    boolean out =
        call != null
            && call.place() instanceof Place.Open open
            && open.attemptId().equals(attempt.id());
    return out ? call : null;
  }
}
