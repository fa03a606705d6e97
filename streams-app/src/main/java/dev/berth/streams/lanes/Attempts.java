package dev.berth.streams.lanes;

import dev.berth.streams.kernel.State;
import dev.berth.streams.lanes.LanesEffect.Dropped;
import java.time.Duration;
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
                null)));
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
    Attempt.Acceptance known = attempt.acceptance(event.acceptanceId());
    Attempt.Acceptance acceptance = known != null ? known : unread(draft, event.acceptanceId());
    settleIfOver(draft, attempt.with(acceptance.ended(event.end())));
  }

  /** An attempt is to be looked at. */
  static void due(LanesDraft draft, Attempt attempt) {
    if (!attempt.accepted()) {
      nobodyAccepts(draft, attempt);
      return;
    }
    Attempt timedOut = attempt;
    for (Attempt.Acceptance acceptance : attempt.acceptances()) {
      if (acceptance.open() && !acceptance.deadline().isAfter(draft.now())) {
        CallEnd unheard = CallEnd.unheard(acceptance.worker(), acceptance.readAt(), draft.now());
        timedOut = timedOut.with(acceptance.ended(unheard));
      }
    }
    settleIfOver(draft, timedOut);
  }

  /**
   * A new owner cannot know how long the old one was gone: calls may have been accepted just
   * before. Nobody can after the clock was set. Every open call gets its full time again.
   */
  static void countAnew(LanesDraft draft) {
    for (State.Entry<Attempt> entry : draft.state().scan(LaneTables.ATTEMPTS, "")) {
      draft.store(entry.value().anew(draft.now()));
    }
  }

  private static Optional<Dropped.Cause> doubt(
      @Nullable Attempt attempt, LanesEvent.OutcomeArrived event) {
    if (attempt == null) {
      return Optional.of(Dropped.Cause.OUTCOME_OF_NO_OPEN_ATTEMPT);
    }
    if (event.callIndex() != 0 || !attempt.requestId().equals(event.requestId())) {
      return Optional.of(Dropped.Cause.OUTCOME_OF_OTHER_CALL);
    }
    Attempt.Acceptance acceptance = attempt.acceptance(event.acceptanceId());
    if (acceptance == null) {
      return attempt.accepted()
          ? Optional.of(Dropped.Cause.OUTCOME_OF_OTHER_ACCEPTANCE)
          : Optional.empty();
    }
    return acceptance.open() ? Optional.empty() : Optional.of(Dropped.Cause.OUTCOME_REPEATED);
  }

  /**
   * The acceptance of an outcome that was read before it. They travel on two topics, and an outcome
   * can overtake; a worker reports only under an acceptance that is committed, so the outcome
   * proves it.
   */
  private static Attempt.Acceptance unread(LanesDraft draft, String acceptanceId) {
    return new Attempt.Acceptance(acceptanceId, "", draft.now(), Duration.ZERO, null);
  }

  private static Duration allowance(LanesDraft draft, Attempt attempt, Duration timeAllowed) {
    // Never shorter than what was asked for, whatever the worker says it allows itself.
    Duration allowed = attempt.work().timeout();
    if (timeAllowed.compareTo(allowed) > 0) {
      allowed = timeAllowed.compareTo(CallEnd.LONGEST) > 0 ? CallEnd.LONGEST : timeAllowed;
    }
    LaneCall call = draft.get(LaneTables.REQUESTS, attempt.requestId());
    Duration margin =
        call == null
            ? draft.policy(attempt.work().plugin()).settleMargin()
            : draft.policy(call).settleMargin();
    return allowed.plus(margin);
  }

  private static void nobodyAccepts(LanesDraft draft, Attempt attempt) {
    LaneCall call = draft.get(LaneTables.REQUESTS, attempt.requestId());
    if (attempt.noWorkerShown()) {
      Attempt again =
          new Attempt(attempt.work().dispatchedAt(draft.now()), attempt.acceptances(), true);
      draft.store(again);
      draft.emit(new LanesEffect.Dispatch(again.work()));
    } else {
      draft.store(new Attempt(attempt.work(), attempt.acceptances(), true));
      if (call != null) {
        Retries.showNoWorker(draft, call, attempt);
      }
    }
  }

  private static void settleIfOver(LanesDraft draft, Attempt attempt) {
    Optional<CallEnd> end = attempt.end();
    if (end.isEmpty()) {
      draft.store(attempt);
      return;
    }
    draft.remove(attempt);
    String lane = attempt.work().lane();
    draft.store(lane, draft.lane(lane).closed());
    LaneCall call = draft.get(LaneTables.REQUESTS, attempt.requestId());
    if (call != null && call.place() instanceof Place.Open open) {
      Ends.settle(draft, call, open, end.get());
    }
    draft.startLater(lane);
    if (draft.plugin(attempt.work().plugin()).draining()) {
      LaneScopes.startAllOf(draft, attempt.work().plugin());
    }
  }
}
