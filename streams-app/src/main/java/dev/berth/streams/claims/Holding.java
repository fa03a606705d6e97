package dev.berth.streams.claims;

import dev.berth.records.CsiCall;
import dev.berth.records.ReplyOutcome;
import dev.berth.streams.work.Hold;
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
    Claim held = hold(v, claim, hold, step);
    boolean sameReason = before != null && before.code() == hold.code();
    if (!sameReason && held.ending() == null && !held.granted()) {
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

  /** Keeps a hold in the row; an operator is told once for each budget that is used up. */
  static Claim hold(VolumeDraft v, Claim claim, Hold hold, @Nullable CsiCall step) {
    Hold before = claim.hold();
    if (hold.equals(before)) {
      return claim;
    }
    ClaimEdit edit = claim.edit().hold(hold);
    Claim held = v.put(hold.stuck() ? edit.reported().done() : edit.done());
    if (before == null || before.code() != hold.code()) {
      v.happened("held", claim, hold.code().name(), hold.message());
    }
    if (hold.stuck() && (before == null || !before.stuck())) {
      v.emit(new ClaimsEffect.Stuck(held, step));
      v.happened("stuck", claim, hold.code().name(), hold.message());
    }
    return held;
  }

  /**
   * An operator asked for another try: the hold stays what it is, and should the new budget be used
   * up too, be it by its first failure, there is one new record.
   */
  static void newBudget(VolumeDraft v, Claim claim) {
    Hold hold = claim.hold();
    if (hold != null && hold.stuck()) {
      v.put(claim.edit().hold(hold.inNewBudget()).done());
    }
  }

  /** Ends a hold: the step it was about is done or no longer needed. */
  static Claim unhold(VolumeDraft v, Claim claim, String how) {
    if (claim.hold() == null) {
      return claim;
    }
    if (claim.reported()) {
      v.emit(new ClaimsEffect.Resolved(claim, how));
      v.happened("resolved", claim, null, how);
    }
    return v.put(claim.edit().free().done());
  }
}
