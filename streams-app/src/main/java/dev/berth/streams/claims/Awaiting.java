package dev.berth.streams.claims;

import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.streams.work.Hold;
import org.jspecify.annotations.Nullable;

/**
 * A claim on its way in that waits for what was asked for before it came, or for what cannot be
 * asked for now. The lanes say once why a call waits, to those who wait then; whoever comes later
 * shows, and is told, the same.
 */
final class Awaiting {
  private Awaiting() {}

  /** Waits for the call of the attachment that is on its way. */
  static void call(VolumeDraft v, Claim claim, Attachment attachment) {
    CsiCall call = attachment.requestCall();
    if (call == null) {
      return;
    }
    boolean takenBack = !Calls.wayIn(call) || attachment.withdrawing();
    Settlements.waiting(v, attachment, call).stream()
        .filter(other -> other.request() == null && tells(other.hold(), takenBack))
        .findFirst()
        .ifPresent(other -> like(v, claim, other, call));
  }

  /** What is taken back is not tried again: all that it can wait for is somebody to take it. */
  private static boolean tells(@Nullable Hold hold, boolean takenBack) {
    return hold != null && (!takenBack || hold.code() == HoldCode.NO_WORKER);
  }

  /**
   * Waits for an attach that another claim on the node has asked for itself.
   *
   * @return whether there is one
   */
  static boolean ownAttach(VolumeDraft v, Claim claim) {
    Claim attaching =
        v.countingOn(claim.node()).stream()
            .filter(other -> !other.alloc().equals(claim.alloc()))
            .filter(other -> other.requestCall() == CsiCall.CONTROLLER_PUBLISH)
            .findFirst()
            .orElse(null);
    if (attaching != null) {
      like(v, claim, attaching, CsiCall.CONTROLLER_PUBLISH);
    }
    return attaching != null;
  }

  /**
   * Waits for what went at the provider to be attached again ({@link Drifting#advance}): when its
   * node is there, and no other attach is on its way.
   */
  static void attachAgain(VolumeDraft v, Claim claim) {
    if (v.there(claim)) {
      ownAttach(v, NodeSteps.contactIsBack(v, claim));
      return;
    }
    String message =
        "the attachment is gone at the provider: it is made again when node "
            + claim.node()
            + " is ready";
    Hold hold = Holding.untilEvent(v, claim, HoldCode.NODE_UNREACHABLE, message);
    Holding.show(v, claim, hold, null);
  }

  private static void like(VolumeDraft v, Claim claim, Claim other, CsiCall call) {
    Hold hold = other.hold();
    if (hold != null && claim.hold() == null && concerns(v, claim, hold, call)) {
      Holding.show(v, claim, Settlements.explained(v, claim, call, hold), call);
    }
  }

  /**
   * Whether what holds another claim's call holds a claim too. Not an attach that waits on another
   * scheduler's word that its node is lost: it is asked for anew ({@link Detaching}).
   */
  private static boolean concerns(VolumeDraft v, Claim claim, Hold hold, CsiCall call) {
    return call != CsiCall.CONTROLLER_PUBLISH
        || hold.code() != HoldCode.NODE_LOST
        || NodeLoss.down(v.node(claim));
  }
}
