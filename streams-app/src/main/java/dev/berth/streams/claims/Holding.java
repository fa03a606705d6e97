package dev.berth.streams.claims;

import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.ReplyOutcome;
import dev.berth.streams.policy.Policy;
import dev.berth.streams.work.Hold;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows why a claim's next step cannot be taken now, and tells an operator when it needs one. */
final class Holding {
  private Holding() {}

  /**
   * Shows what the lanes or the rows say of a step; a claim that is not granted hears of it too.
   */
  static void show(VolumeDraft v, Claim claim, Hold hold, @Nullable CsiCall step) {
    Hold before = claim.hold();
    if (before != null && noNews(before, hold)) {
      return;
    }
    tell(v, hold(v, claim, hold, step), before);
  }

  /** Tells a claim that is not granted why it waits, where that is news. */
  private static void tell(VolumeDraft v, Claim held, @Nullable Hold before) {
    Hold hold = held.hold();
    boolean sameReason = before != null && hold != null && before.code() == hold.code();
    if (hold != null && !sameReason && held.ending() == null && !held.granted()) {
      v.emit(
          new ClaimsEffect.Replied(
              v.key(),
              held.alloc(),
              held.ask(),
              held.generation(),
              ReplyOutcome.WAITING,
              null,
              hold.code(),
              hold.message(),
              null,
              Map.of()));
    }
  }

  /** A wait without an attempt is no news: its row is written once. */
  private static boolean noNews(Hold before, Hold hold) {
    return before.code() == hold.code()
        && before.stuck() == hold.stuck()
        && before.attempts() == hold.attempts()
        && hold.rpcCode() == null
        && hold.nextRetry() == null;
  }

  /** Keeps a hold in the row, and tells an operator when that is due. */
  static Claim hold(VolumeDraft v, Claim claim, Hold hold, @Nullable CsiCall step) {
    Hold before = claim.hold();
    if (hold.equals(before)) {
      return claim;
    }
    boolean told = Letter.isDue(claim.letter(), before, hold, step);
    ClaimEdit edit = claim.edit().hold(hold);
    Claim held = v.put(told ? edit.told(new Letter(hold.code(), step)).done() : edit.done());
    if (before == null || before.code() != hold.code()) {
      v.happened("held", claim, hold.code().name(), hold.message());
    }
    if (told) {
      v.emit(new ClaimsEffect.Stuck(DeadLetter.of(held, v.volume(), hold), step));
      v.happened("stuck", claim, hold.code().name(), hold.message());
    }
    return held;
  }

  /**
   * A hold that an event ends, not a time. It keeps since when it lasts, whatever is said of it
   * anew.
   */
  static Hold untilEvent(VolumeDraft v, Claim claim, HoldCode code, String message) {
    Hold before = claim.hold();
    return before != null && before.code() == code
        ? new Hold(
            code,
            message,
            null,
            before.attempts(),
            before.firstFailure(),
            before.lastFailure(),
            null,
            before.stuck())
        : new Hold(code, message, null, 1, v.now(), v.now(), null, false);
  }

  /**
   * A hold counts like a failed attempt (domain rule "Errors"). While no call is tried nobody
   * counts it, so that its time counts: when attempts would have used up the budget, an operator is
   * told.
   */
  static void tellIfLasting(VolumeDraft v, Claim claim) {
    Hold hold = claim.hold();
    Instant due = letterDue(v, claim);
    if (hold != null && due != null && !v.now().isBefore(due)) {
      boolean ofCall = hold.code() == HoldCode.NO_WORKER || hold.code() == HoldCode.PLUGIN_PAUSED;
      hold(
          v,
          claim,
          hold.usedUp(v.policy(claim).maxAttempts(), v.now()),
          ofCall ? VolumeCommands.callOf(v, claim) : null);
    }
  }

  /**
   * When an operator is to be told of a hold that lasts; null when attempts are counted, or none
   * is.
   */
  static @Nullable Instant letterDue(VolumeDraft v, Claim claim) {
    Hold hold = claim.hold();
    if (hold == null || !hold.lastsUncounted()) {
      return null;
    }
    Policy policy = v.policy(claim);
    return hold.lastFailure().plus(policy.backoff().between(policy.maxAttempts()));
  }

  /**
   * An operator asked for another try: the hold stays what it is, and should the new budget be used
   * up too, be it by its first failure, there is one new record.
   */
  static void newBudget(VolumeDraft v, Claim claim) {
    Hold hold = claim.hold();
    if (hold != null && hold.stuck()) {
      v.put(claim.edit().hold(hold.inNewBudget(v.now())).done());
    }
  }

  /** Ends a hold: the step it was about is done or no longer needed. */
  static Claim unhold(VolumeDraft v, Claim claim, String how) {
    Hold hold = claim.hold();
    if (hold == null) {
      return claim;
    }
    if (claim.reported()) {
      v.emit(new ClaimsEffect.Resolved(DeadLetter.of(claim, v.volume(), hold), how));
      v.happened("resolved", claim, null, how);
    }
    return v.put(claim.edit().free().done());
  }

  /**
   * A call of a live claim is taken back so that the attachment is made again first: what held it
   * is kept, for its budget goes on when it is asked for anew. A stage that never works would else
   * begin a new budget with each attach, and nobody would be told.
   */
  static Claim setAside(Claim claim) {
    Hold hold = claim.hold();
    return hold == null || NodeSteps.waitsForLostNode(claim)
        ? claim
        : claim.edit().setAside(hold).done();
  }

  /** The attach is made again: what held the call that was taken back for it holds as before. */
  static void standsAgain(VolumeDraft v, Claim claim, Hold aside, String how) {
    Letter letter = claim.letter();
    Attachment attachment = v.attachment(claim.node());
    boolean mounts = attachment != null && attachment.serves(claim);
    boolean ofAttach = mounts && letter != null && letter.step() == CsiCall.CONTROLLER_PUBLISH;
    Claim left = ofAttach ? unhold(v, claim, how) : claim;
    tell(v, v.put(left.edit().hold(aside).setAside(aside).done()), claim.hold());
  }
}
