package dev.berth.streams.claims;

import dev.berth.records.AttachmentState;
import dev.berth.records.ClaimState;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.NodeStep;
import dev.berth.records.RejectCode;
import dev.berth.records.RpcCode;
import dev.berth.records.Staging;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.Settlement;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What the lanes' answers mean for the rows. An answer to a request that nothing waits for any more
 * changes nothing.
 */
final class Settlements {
  private Settlements() {}

  static void handle(VolumeDraft v, Settlement settlement) {
    if (settlement.body() instanceof Settlement.ExternalIdReserved) {
      Registration.reserved(v, settlement.requestId());
    } else if (settlement.body() instanceof Settlement.ExternalIdTaken taken) {
      Registration.taken(v, settlement.requestId(), taken.externalVolume(), taken.holder());
    } else if (settlement.body() instanceof Settlement.Listed listed) {
      Drifting.listed(v, listed);
    } else {
      ForeignAttachments.settled(v, settlement);
      v.attachments().stream()
          .filter(a -> Objects.equals(a.request(), settlement.requestId()))
          .forEach(a -> ofAttachment(v, learn(v, a, settlement), settlement));
      v.claims().stream()
          .filter(c -> Objects.equals(c.request(), settlement.requestId()))
          .forEach(c -> ofClaim(v, c, settlement));
    }
  }

  /** Keeps the provider's node id that the lanes found where the rows did not know it. */
  private static Attachment learn(VolumeDraft v, Attachment attachment, Settlement settlement) {
    String found = settlement.externalNode();
    if (found == null) {
      return attachment;
    }
    if (attachment.externalNode() != null) {
      nameLeaving(v, attachment, found);
      return attachment;
    }
    for (Claim claim : v.countingOn(attachment.node())) {
      if (claim.taken().externalNode() == null || madeFor(claim)) {
        v.put(claim.edit().terms(claim.taken().at(found)).done());
      }
    }
    return v.put(attachment.at(found));
  }

  /**
   * Rows that wait for a detach and do not know their machine, though their attachment does: a
   * detach on their terms would be given back by the lanes again and again, to be decided anew.
   */
  private static void nameLeaving(VolumeDraft v, Attachment attachment, String found) {
    String attached = attachment.mayBeThere() ? attachment.externalNode() : null;
    String machine = attached == null ? found : attached;
    rowsIn(v, attachment.node(), ClaimState.NODE_DETACHED).stream()
        .filter(row -> row.taken().externalNode() == null && Machines.same(attachment, row))
        .forEach(row -> v.put(row.edit().terms(row.taken().at(machine)).done()));
  }

  /**
   * Whether an attachment whose machine is only known now was made for a claim: it is attached to
   * the machine that was called, whatever the node was when the claim was made.
   */
  private static boolean madeFor(Claim claim) {
    return claim.live() && !claim.granted() && claim.attachmentGeneration() == null;
  }

  // ---- calls of the attachment

  private static void ofAttachment(VolumeDraft v, Attachment attachment, Settlement settlement) {
    CsiCall call = Objects.requireNonNull(attachment.requestCall());
    Settlement.Body body = settlement.body();
    if (settlement.outdatesListings(call)) {
      Drifting.operated(v);
    }
    if (body instanceof Settlement.Accepted) {
      v.put(attachment.slot(attachment.slotHeld() || call == CsiCall.CONTROLLER_PUBLISH));
    } else if (body instanceof Settlement.SlotRefused full) {
      attachFailed(v, attachment.settled(), false);
      String message = noSlot(attachment.node(), full);
      notGranted(v, attachment).forEach(c -> Leaving.reject(v, c, RejectCode.SLOTS, message));
    } else if (body instanceof Settlement.Done done) {
      done(v, attachment.settled(), call, done);
    } else if (body instanceof Settlement.Failed failed) {
      failed(v, attachment.settled(), call, failed);
      // A call that was taken back was not made for the claims that wait now: they get their own.
      if (Calls.wayIn(call) && !attachment.withdrawing()) {
        String message = failed.code() + ": " + failed.message();
        notGranted(v, attachment).stream()
            // One that differs gets one of its own: the plugin decides (domain rule "Attach").
            .filter(c -> call != CsiCall.CONTROLLER_PUBLISH || attachment.askedAs(c))
            .forEach(c -> Leaving.reject(v, c, failed.reject(), message));
      }
    } else if (body instanceof Settlement.Held held) {
      held(v, attachment, call, held);
    } else if (body instanceof Settlement.Withdrawn withdrawn) {
      withdrawn(v, attachment.settled(), call, withdrawn.mayHaveEffect());
    }
  }

  private static String noSlot(String node, Settlement.SlotRefused full) {
    return "node %s has %d of %d attach slots in use"
        .formatted(node, full.inUse(), full.maxVolumes());
  }

  private static void done(VolumeDraft v, Attachment settled, CsiCall call, Settlement.Done done) {
    switch (call) {
      case CONTROLLER_PUBLISH -> {
        if (done.code() == RpcCode.UNIMPLEMENTED && !inUse(v, settled)) {
          // What an earlier attach may have made is not proved by one that was not made.
          boolean unsure = settled.state() == AttachmentState.UNCERTAIN;
          Attaching.skipped(v, settled, done.mayHaveEffect() || unsure);
        } else {
          Attaching.attached(v, settled, done);
        }
        stepDone(v, waitForAttach(v, settled), "attached");
      }
      case CONTROLLER_UNPUBLISH -> detached(v, settled, done);
      case NODE_STAGE -> {
        v.put(settled.staging(Staging.STAGED));
        stepDone(v, notGranted(v, settled), "staged");
      }
      case NODE_UNSTAGE -> {
        v.put(settled.staging(Staging.NONE));
        stepDone(v, rowsIn(v, settled.node(), ClaimState.NODE_DETACHED), "unstaged");
      }
      case NODE_PUBLISH, NODE_UNPUBLISH -> v.put(settled);
    }
  }

  /**
   * Each step has a budget, and a dead letter, of its own: what held this one is over. Not so the
   * loss of a node, nor what holds a call that was taken back for this step.
   */
  private static void stepDone(VolumeDraft v, List<Claim> waited, String how) {
    waited.stream()
        .filter(claim -> claim.request() == null && !NodeSteps.waitsForLostNode(claim))
        .forEach(
            claim -> {
              if (claim.setAside() == null) {
                Holding.unhold(v, claim, how);
              } else {
                Holding.standsAgain(v, claim, claim.setAside(), how);
              }
            });
  }

  /** The detach is known: it frees every row of the node that waited for it. */
  private static void detached(VolumeDraft v, Attachment settled, Settlement.Done done) {
    v.remove(settled);
    ForeignAttachments.detached(v, settled.externalNode());
    v.happened("detached", null, done.code().name(), "from node " + settled.node());
    for (Claim claim : rowsIn(v, settled.node(), ClaimState.NODE_DETACHED)) {
      v.happened("controller-detached", claim, null, "");
      Releasing.free(v, claim, "detached");
    }
  }

  private static void failed(
      VolumeDraft v, Attachment settled, CsiCall call, Settlement.Failed failed) {
    switch (call) {
      case CONTROLLER_PUBLISH -> attachFailed(v, settled, failed.mayHaveEffect());
      // The lanes never give up a detach; if they did, only an OK would prove that nothing is left.
      case CONTROLLER_UNPUBLISH -> v.put(settled.state(AttachmentState.UNCERTAIN, v.now()));
      case NODE_STAGE, NODE_UNSTAGE -> v.put(stagedAfter(settled, failed.mayHaveEffect()));
      case NODE_PUBLISH, NODE_UNPUBLISH -> v.put(settled);
    }
  }

  /**
   * What an attach that came to nothing leaves: what may exist, or was there before it, stays until
   * a detach is OK.
   */
  private static void attachFailed(VolumeDraft v, Attachment settled, boolean mayHaveEffect) {
    if (mayHaveEffect || mayBeThere(v, settled)) {
      v.put(settled.state(AttachmentState.UNCERTAIN, v.now()));
    } else {
      v.remove(settled);
    }
  }

  /** Whether it was there before the present attach, or an attempt of it may have made it. */
  private static boolean mayBeThere(VolumeDraft v, Attachment attachment) {
    return attachment.state() == AttachmentState.UNCERTAIN || inUse(v, attachment);
  }

  /** Whether claims have it, so that the present attach makes again what was there. */
  private static boolean inUse(VolumeDraft v, Attachment attachment) {
    return v.countingOn(attachment.node()).stream()
        .anyMatch(claim -> attachment.serves(claim) || claim.toAttachAgain());
  }

  private static void held(
      VolumeDraft v, Attachment attachment, CsiCall call, Settlement.Held held) {
    if (Call.toController(call) && held.mayHaveEffect()) {
      v.put(attachment.state(AttachmentState.UNCERTAIN, v.now()));
    } else if (attachment.state() == AttachmentState.DETACHING && held.hold().rpcCode() == null) {
      // Nobody was called: it is attached as before.
      v.put(attachment.state(AttachmentState.ATTACHED, v.now()));
    }
    waiting(v, attachment, call).stream()
        .filter(c -> c.request() == null && !NodeSteps.waitsForLostNode(c))
        .forEach(c -> Holding.show(v, c, explained(v, c, call, held.hold()), call));
  }

  /**
   * The hold of a call as it concerns a claim. The lanes judge a node for the claim on whose terms
   * they were asked, and may hear of its return later than the claims: {@code node-lost} is for the
   * rows to say, which end it when that is taken back.
   */
  static Hold explained(VolumeDraft v, Claim claim, CsiCall call, Hold hold) {
    return hold.code() == HoldCode.NODE_LOST && !NodeLoss.down(v.node(claim))
        ? hold.as(HoldCode.NODE_UNREACHABLE)
        : ForeignAttachments.explained(v, call, hold);
  }

  /** The claims whose next step waits for a call of the attachment that is on its way. */
  static List<Claim> waiting(VolumeDraft v, Attachment attachment, CsiCall call) {
    if (!Calls.wayIn(call) || attachment.withdrawing()) {
      // For a call that is being taken back wait those that are to be detached after it, or
      // attached.
      List<Claim> detached = rowsIn(v, attachment.node(), ClaimState.NODE_DETACHED);
      return Stream.concat(detached.stream(), notGranted(v, attachment).stream()).toList();
    }
    return call == CsiCall.CONTROLLER_PUBLISH
        ? waitForAttach(v, attachment)
        : notGranted(v, attachment);
  }

  private static void withdrawn(
      VolumeDraft v, Attachment settled, CsiCall call, boolean mayHaveEffect) {
    switch (call) {
      case CONTROLLER_PUBLISH -> attachFailed(v, settled, mayHaveEffect);
      case CONTROLLER_UNPUBLISH -> {
        boolean unsure = mayHaveEffect || settled.state() == AttachmentState.UNCERTAIN;
        AttachmentState left = unsure ? AttachmentState.UNCERTAIN : AttachmentState.ATTACHED;
        v.put(settled.state(left, v.now()));
      }
      case NODE_STAGE -> {
        v.put(stagedAfter(settled, mayHaveEffect));
        notGranted(v, settled).stream()
            .filter(claim -> claim.request() == null)
            .forEach(claim -> v.put(Holding.setAside(claim)));
      }
      case NODE_UNSTAGE -> v.put(stagedAfter(settled, mayHaveEffect));
      case NODE_PUBLISH, NODE_UNPUBLISH -> v.put(settled);
    }
  }

  /** What is known of the staging after a call that was not answered OK. */
  private static Attachment stagedAfter(Attachment settled, boolean mayHaveEffect) {
    return mayHaveEffect ? settled.staging(Staging.MAYBE) : settled;
  }

  // ---- calls of one claim

  private static void ofClaim(VolumeDraft v, Claim claim, Settlement settlement) {
    CsiCall call = Objects.requireNonNull(claim.requestCall());
    Settlement.Body body = settlement.body();
    // Also of a call that failed: what it may have made is at the machine that it was sent to.
    Claim known = learn(claim, settlement);
    if (settlement.outdatesListings(call)) {
      Drifting.operated(v);
    }
    if (body instanceof Settlement.Accepted) {
      Attaching.slotTaken(v, claim);
    } else if (body instanceof Settlement.SlotRefused full) {
      Claim settled = v.put(claim.edit().settled().done());
      if (settled.ending() == null) {
        Leaving.reject(v, settled, RejectCode.SLOTS, noSlot(claim.node(), full));
      }
    } else if (body instanceof Settlement.Done done) {
      done(v, known.edit().settled().done(), call, done);
    } else if (body instanceof Settlement.Failed failed) {
      Claim settled = v.put(known.edit().settled().done());
      if (call == CsiCall.CONTROLLER_PUBLISH) {
        Attaching.ownAttachFailed(v, settled, failed.mayHaveEffect());
      }
      if (settled.ending() == null) {
        Leaving.reject(v, settled, failed.reject(), failed.code() + ": " + failed.message());
      }
    } else if (body instanceof Settlement.Held held) {
      if (!NodeSteps.waitsForLostNode(claim)) {
        Holding.show(v, claim, explained(v, claim, call, held.hold()), call);
      }
    } else if (body instanceof Settlement.Withdrawn withdrawn) {
      withdrawn(v, known.edit().settled().done(), call, withdrawn.mayHaveEffect());
    }
  }

  private static Claim learn(Claim claim, Settlement settlement) {
    String found = settlement.externalNode();
    return found == null || claim.taken().externalNode() != null
        ? claim
        : claim.edit().terms(claim.taken().at(found)).done();
  }

  private static void withdrawn(
      VolumeDraft v, Claim withdrawn, CsiCall call, boolean mayHaveEffect) {
    Claim settled = withdrawn.live() ? Holding.setAside(withdrawn) : withdrawn;
    if (call == CsiCall.CONTROLLER_PUBLISH) {
      Attaching.ownAttachFailed(v, settled, mayHaveEffect);
    }
    if (call != CsiCall.NODE_PUBLISH || mayHaveEffect) {
      v.put(settled);
      return;
    }
    ClaimEdit neverPublished = settled.edit().nodePublishAsked(false);
    boolean leaving = settled.ending() != null && !NodeSteps.done(settled.nodeStep());
    v.put(leaving ? neverPublished.nodeStep(NodeStep.NOT_MOUNTED).done() : neverPublished.done());
  }

  private static void done(VolumeDraft v, Claim settled, CsiCall call, Settlement.Done done) {
    Attachment attachment = v.attachment(settled.node());
    if (call == CsiCall.NODE_UNPUBLISH && !NodeSteps.done(settled.nodeStep())) {
      v.put(settled.edit().nodeStep(NodeStep.NODE_CALLS_DONE).unmountError(null).done());
    } else if (call == CsiCall.NODE_PUBLISH
        && settled.live()
        && attachment != null
        && attachment.serves(settled)
        && !Drifting.comesFirst(v, attachment)
        && !NodeLoss.down(v.node(settled))) {
      // Else it is asked for again, when the node is back or the attach has been made again.
      Attaching.grant(v, settled, attachment);
    } else if (call == CsiCall.CONTROLLER_PUBLISH && attachment != null) {
      Attaching.attachedFor(v, settled, attachment, done);
      stepDone(v, waitedForOwn(v, attachment, settled), "attached");
    } else {
      v.put(settled);
    }
  }

  /** The claims that an attachment, present or to come, is to serve. */
  private static List<Claim> notGranted(VolumeDraft v, Attachment attachment) {
    return v.countingOn(attachment.node()).stream()
        .filter(c -> c.live() && !c.granted() && Machines.same(attachment, c))
        .toList();
  }

  /**
   * The claims that an attach of the attachment is for: those that are not granted, and where it is
   * made again those that have it; one that is known to be on a lost node waits for that.
   */
  private static List<Claim> waitForAttach(VolumeDraft v, Attachment attachment) {
    return v.countingOn(attachment.node()).stream()
        .filter(c -> c.live() && Machines.same(attachment, c))
        .filter(c -> !c.granted() || !NodeSteps.waitsForLostNode(c))
        .toList();
  }

  /**
   * The claims that an own attach was for: its claim, and those that wait to share what it makes.
   */
  private static List<Claim> waitedForOwn(VolumeDraft v, Attachment before, Claim own) {
    return notGranted(v, before).stream()
        .filter(
            claim ->
                claim.alloc().equals(own.alloc()) || (!before.published() && !before.serves(claim)))
        .toList();
  }

  private static List<Claim> rowsIn(VolumeDraft v, String node, ClaimState state) {
    return v.countingOn(node).stream().filter(c -> c.state() == state).toList();
  }
}
