package dev.berth.streams.claims;

import dev.berth.records.AttachmentState;
import dev.berth.records.ClaimState;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.RpcCode;
import dev.berth.records.Staging;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.policy.Policy;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.Settlement;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The way in: ControllerPublishVolume once for each attachment, then NodeStageVolume and
 * NodePublishVolume where node workers do the node step, then the grant.
 */
final class Attaching {
  private Attaching() {}

  /** Takes the claims on a node as far towards their grant as they go now. */
  static void advance(VolumeDraft v, String node) {
    List<Claim> rows =
        v.countingOn(node).stream()
            .filter(claim -> claim.live() && (!claim.granted() || claim.toAttachAgain()))
            // Held, and a call that waits for the node could mount behind an unblock.
            .filter(claim -> !NodeLoss.down(v.node(claim)))
            // What they share is asked for on the terms of one whose node is there.
            .sorted(
                Comparator.comparing((Claim claim) -> !v.there(claim))
                    .thenComparing(Claim::generation))
            .toList();
    for (Claim row : rows) {
      Attachment attachment = v.attachment(node);
      Claim claim = Machines.identify(v, row);
      if (claim.granted()) {
        joinAgain(v, claim, attachment);
      } else if (attachment == null) {
        open(v, Holding.unhold(v, claim, "its turn has come"));
      } else if (!Machines.same(attachment, claim)) {
        Holding.show(v, claim, Machines.waits(v, claim, attachment), null);
      } else if (attachment.serves(claim)) {
        mount(v, claim, attachment);
      } else {
        attach(v, claim, attachment);
      }
    }
  }

  /**
   * Starts the use of the volume on a node: an attach that takes a slot, or just a count where none
   * is needed.
   */
  private static void open(VolumeDraft v, Claim claim) {
    ClaimTerms terms = claim.taken();
    boolean attaches = attaches(v, terms.controllerRequired(), terms.plugin());
    if (attaches && waitsForDetach(v, claim)) {
      return;
    }
    Attachment opened =
        new Attachment(
            v.key(),
            claim.node(),
            terms.plugin(),
            terms.externalVolume(),
            terms.externalNode(),
            v.nextGeneration(),
            attaches ? AttachmentState.ATTACHING : AttachmentState.ATTACHED,
            v.now(),
            terms.controllerRequired(),
            attaches,
            false,
            claim.ask().access(),
            !claim.ask().writes(),
            Map.of(),
            Staging.NONE,
            null,
            null,
            false,
            null,
            false);
    v.put(opened);
    if (attaches) {
      publish(v, claim, opened, false);
    }
  }

  /**
   * Takes back what would detach the machine of a claim that is to be attached there: it must not
   * come after the attach. The answer to it looks at the claim again.
   *
   * @return whether there is anything to wait for
   */
  private static boolean waitsForDetach(VolumeDraft v, Claim claim) {
    boolean foreign = ForeignAttachments.takesBack(v, claim);
    if (foreign) {
      ForeignAttachments.notTaken(v, claim.taken())
          .ifPresent(hold -> Holding.show(v, claim, hold, null));
    }
    List<Attachment> underOtherNames = Machines.detaching(v, claim);
    for (Attachment leaving : underOtherNames) {
      Detaching.withdraw(v, leaving);
      Awaiting.call(v, claim, leaving);
    }
    return foreign || !underOtherNames.isEmpty();
  }

  private static boolean attaches(VolumeDraft v, boolean controllerRequired, String plugin) {
    return controllerRequired && !v.cannotAttach(plugin);
  }

  private static void attach(VolumeDraft v, Claim claim, Attachment attachment) {
    if (attachment.requesting(CsiCall.CONTROLLER_PUBLISH)) {
      boolean counts = attachment.slotHeld() || attachment.state() == AttachmentState.UNCERTAIN;
      Awaiting.call(v, counts ? taken(v, claim) : claim, attachment);
    } else if (attachment.requesting(CsiCall.CONTROLLER_UNPUBLISH)) {
      // What is left of it is known when the detach has come back or has ended.
      Awaiting.call(v, claim, attachment);
    } else if (Drifting.makesAgain(v, attachment)) {
      // For those first that had it: a reader's must not come before a writer's.
      Awaiting.attachAgain(v, claim);
    } else if (attachment.state() == AttachmentState.UNCERTAIN && attachment.request() == null) {
      // It may exist, and counts as such: no slot can be refused to it, and the claim owes its
      // detach.
      publish(v, taken(v, claim), attachment, false);
    } else if (attachment.state() == AttachmentState.ATTACHED) {
      join(v, claim, attachment);
    }
  }

  /**
   * A further claim on an attachment: shares it, or asks the plugin itself when it needs it
   * published in another way, or published at all where its first claim needed nothing.
   */
  private static void join(VolumeDraft v, Claim claim, Attachment attachment) {
    if (claim.request() != null) {
      // What its own attach comes to says what it has.
      return;
    }
    if (!attachment.published() && Awaiting.ownAttach(v, claim)) {
      // One attach makes the attachment (domain.md, "Attach"); then it is shared, or is not there.
      return;
    }
    ClaimTerms terms = claim.taken();
    boolean shares =
        attachment.published()
            ? attachment.access() == claim.ask().access()
                && attachment.readOnly() == readOnlyIfAsked(v, claim, attachment)
            : !attaches(v, terms.controllerRequired(), terms.plugin());
    if (shares) {
      // What held an attach of its own that was taken back is over: it needs none any more.
      Claim free = claim.setAside() == null ? claim : Holding.unhold(v, claim, "attached");
      share(v, taken(v, free), attachment, attachment);
    } else if (attachment.published() || !waitsForDetach(v, claim)) {
      boolean takesSlot = !attachment.published() && !attachment.slotHeld();
      Claim asking = takesSlot ? claim : taken(v, claim);
      if (!takesSlot) {
        v.put(attachment.needingController());
      }
      publishOwn(v, asking, attachment, takesSlot);
    }
  }

  /**
   * A granted claim whose own attach went with the attachment gets it again, when that is there.
   */
  private static void joinAgain(VolumeDraft v, Claim claim, @Nullable Attachment attachment) {
    if (attachment != null
        && attachment.published()
        && attachment.request() == null
        && attachment.state() == AttachmentState.ATTACHED) {
      join(v, claim, attachment);
    }
  }

  private static void publishOwn(
      VolumeDraft v, Claim claim, Attachment attachment, boolean takesSlot) {
    String request =
        v.request(
            attachment.plugin(),
            Calls.enqueue(
                claim,
                Calls.forClaim(v, claim, CsiCall.CONTROLLER_PUBLISH),
                takesSlot,
                claim.granted(),
                claim.setAside()));
    v.put(claim.edit().requesting(request, CsiCall.CONTROLLER_PUBLISH).setAside(null).done());
  }

  /**
   * There is a slot for a claim's own attach, which makes of an attachment that only counted uses
   * one of CSI: from now on it owes a detach.
   */
  static void slotTaken(VolumeDraft v, Claim claim) {
    Attachment attachment = v.attachment(claim.node());
    if (attachment != null) {
      v.put(attachment.slot(true).needingController());
    }
    if (claim.live()) {
      taken(v, claim);
    }
  }

  /**
   * A claim's own attach came to nothing. Where it was the first of the attachment its slot is free
   * again, and a detach is owed only for what the others need; not so where it, or one before it,
   * may have made the attachment.
   */
  static void ownAttachFailed(VolumeDraft v, Claim claim, boolean mayHaveEffect) {
    Attachment attachment = v.attachment(claim.node());
    if (attachment == null || attachment.published() || attachment.mayBeAttached()) {
      return;
    }
    if (mayHaveEffect) {
      Machines.perhapsAttached(v, attachment, claim.taken().externalNode());
      return;
    }
    boolean needed =
        v.countingOn(claim.node()).stream()
            .filter(other -> !other.alloc().equals(claim.alloc()))
            .filter(
                other ->
                    attachment.serves(other) || other.requestCall() == CsiCall.CONTROLLER_PUBLISH)
            .anyMatch(other -> other.taken().controllerRequired());
    v.put(attachment.stillNotPublished(needed));
  }

  /**
   * The read-only flag that an attach for the claim would carry, to tell whether it differs from
   * the one that the attachment is published with. The lanes decide it when they send it ({@link
   * dev.berth.streams.work.Call#sentTo}); while nobody is there to be asked it is taken to be the
   * same.
   */
  private static boolean readOnlyIfAsked(VolumeDraft v, Claim claim, Attachment attachment) {
    List<InstanceView> live = v.liveControllers(attachment.plugin());
    return !claim.ask().writes()
        && (live.isEmpty()
            ? attachment.readOnly()
            : live.stream().anyMatch(InstanceView::publishReadOnly));
  }

  /**
   * Asks for an attachment once more that was there and went. It is another one: what it serves
   * goes over to it, and the publish context that comes belongs to it. It takes no slot: the node
   * had room for it. Claims that differ, and so had an attach of their own, join it like others,
   * when it is there: a reader's must not come before a writer's.
   */
  static void again(VolumeDraft v, Claim claim, Attachment attachment) {
    Attachment anew = attachment.anew(v.nextGeneration()).state(AttachmentState.ATTACHING, v.now());
    publish(v, claim, anew, true);
    v.countingOn(attachment.node()).stream()
        .filter(row -> Drifting.had(attachment, row))
        // Another scheduler's claim may not have its node back: its own word counts.
        .map(row -> v.there(row) ? NodeSteps.contactIsBack(v, row) : row)
        .forEach(row -> v.put(goesOver(v, row, claim, attachment, anew)));
  }

  private static Claim goesOver(
      VolumeDraft v, Claim row, Claim first, Attachment before, Attachment anew) {
    boolean shares =
        row.ask().access() == first.ask().access()
            && readOnlyIfAsked(v, row, anew) == readOnlyIfAsked(v, first, anew);
    if (shares || !row.live()) {
      // It needs no attach of its own any more.
      Hold aside = before.serves(row) ? row.setAside() : null;
      return row.edit().attachedBy(anew.generation()).setAside(aside).done();
    }
    // Until it has one of its own again it is told what it was told before.
    Map<String, String> told = row.granted() ? row.contextWith(before) : null;
    return row.edit().attachedBy(null).publishContext(told).done();
  }

  /** An attach is OK: claims that were told of an earlier one hear of a context that differs. */
  static void attached(VolumeDraft v, Attachment before, Settlement.Done done) {
    Map<String, String> context = done.publishContext();
    Attachment attached =
        v.put(before.published(done.readOnly(), context).state(AttachmentState.ATTACHED, v.now()));
    v.happened("attached", null, null, "to node " + attached.node());
    v.countingOn(attached.node()).stream()
        .filter(claim -> claim.live() && attached.serves(claim))
        .forEach(claim -> share(v, claim, attached, before));
  }

  /** Makes the attachment's publish context that of a claim, whatever an attach of its own said. */
  private static void share(VolumeDraft v, Claim claim, Attachment attached, Attachment before) {
    Map<String, String> told = claim.contextWith(before);
    Claim sharing =
        v.put(claim.edit().attachedBy(attached.generation()).publishContext(null).done());
    if (sharing.granted() && !attached.publishContext().equals(told)) {
      replyGranted(v, sharing, attached);
    }
  }

  /**
   * A claim's own attach is OK: one that was told of an earlier one hears of a context that
   * differs. Where the first claims of the attachment needed none, it is from now on the machine's
   * that was attached.
   */
  static void attachedFor(VolumeDraft v, Claim claim, Attachment before, Settlement.Done done) {
    Attachment attachment = before;
    if (!before.published() && done.code() == RpcCode.UNIMPLEMENTED) {
      // It turned out not to be needed, as if that had been known from the start.
      if (!done.mayHaveEffect() && !before.mayBeAttached()) {
        Detaching.releaseSlot(v, before);
      }
      ownAttachFailed(v, claim, done.mayHaveEffect());
    } else if (!before.published()) {
      String machine = claim.taken().externalNode();
      Attachment known = machine == null ? before : before.at(machine);
      attachment =
          v.put(
              known
                  .publishedAs(claim.ask().access(), done.readOnly())
                  .published(done.readOnly(), done.publishContext()));
      if (machine != null) {
        Machines.name(v, attachment, machine);
      }
    }
    Claim attached =
        v.put(
            claim
                .edit()
                .attachedBy(attachment.generation())
                .publishContext(done.publishContext())
                .done());
    if (attached.live() && attached.granted()) {
      if (!NodeSteps.waitsForLostNode(attached)) {
        Holding.unhold(v, attached, "attached");
      }
      if (!done.publishContext().equals(claim.contextWith(before))) {
        replyGranted(v, attached, attachment);
      }
    }
  }

  private static void publish(VolumeDraft v, Claim claim, Attachment attachment, boolean restores) {
    // One that no attach serves yet had one of its own that was taken back.
    Hold goesOn = claim.attachmentGeneration() == null ? claim.setAside() : null;
    if (goesOn != null) {
      v.put(claim.edit().setAside(null).done());
    }
    String request =
        v.request(
            attachment.plugin(),
            Calls.enqueue(
                claim,
                Calls.forAttachment(v, claim, CsiCall.CONTROLLER_PUBLISH),
                attachment.state() == AttachmentState.ATTACHING
                    && !restores
                    && !attachment.slotHeld(),
                restores,
                goesOn));
    v.put(
        attachment
            .publishedAs(claim.ask().access(), !claim.ask().writes())
            .requesting(request, CsiCall.CONTROLLER_PUBLISH, claim));
  }

  /**
   * The plugin turned out not to attach while the attach waited: what is left counts the uses and
   * takes no slot, as if that had been known from the start. Where an attempt may have made it all
   * the same, it keeps its slot until the detach, which is owed.
   *
   * @param mayHaveEffect whether some attempt reached the plugin
   */
  static void skipped(VolumeDraft v, Attachment attachment, boolean mayHaveEffect) {
    if (!mayHaveEffect) {
      Detaching.releaseSlot(v, attachment);
    }
    Attachment left = attachment.notPublished().state(AttachmentState.ATTACHED, v.now());
    v.put(mayHaveEffect ? left.perhapsAttached() : left.slot(false));
  }

  private static Claim taken(VolumeDraft v, Claim claim) {
    if (claim.state() == ClaimState.TAKEN) {
      return claim;
    }
    v.happened("taken", claim, null, "");
    return v.put(claim.edit().state(ClaimState.TAKEN, v.now()).done());
  }

  private static void mount(VolumeDraft v, Claim claim, Attachment attachment) {
    if (attachment.requesting(CsiCall.NODE_UNSTAGE)
        || attachment.requesting(CsiCall.CONTROLLER_PUBLISH)) {
      // A mount now would meet the unstaging for the one before, or come before the attach that is
      // made again (domain.md, "Attach order").
      Awaiting.call(v, claim, attachment);
      return;
    }
    if (Drifting.comesFirst(v, attachment)) {
      Awaiting.attachAgain(v, claim);
      return;
    }
    if (v.policy(claim).nodeStep() == Policy.NodeStepBy.CLIENT) {
      grant(v, claim, attachment);
      return;
    }
    InstanceView instance = v.nodeInstance(attachment.plugin(), attachment.node());
    if (instance == null) {
      Holding.show(v, claim, noNodeInstance(v, claim), null);
    } else if (instance.stage() && attachment.staging() != Staging.STAGED) {
      if (attachment.request() == null) {
        stage(v, claim, attachment);
      } else {
        Awaiting.call(v, claim, attachment);
      }
    } else if (claim.request() == null) {
      String request =
          v.request(
              attachment.plugin(),
              Calls.enqueue(
                  claim,
                  Calls.forClaim(v, claim, CsiCall.NODE_PUBLISH),
                  false,
                  false,
                  claim.setAside()));
      ClaimEdit edit = claim.edit().requesting(request, CsiCall.NODE_PUBLISH);
      v.put(edit.nodePublishAsked(true).setAside(null).done());
    }
  }

  private static void stage(VolumeDraft v, Claim claim, Attachment attachment) {
    // All that it serves wait for the one staging, with one budget.
    List<Claim> waiting =
        v.countingOn(attachment.node()).stream()
            .filter(row -> attachment.serves(row) && row.request() == null)
            .toList();
    Hold goesOn =
        waiting.stream().map(Claim::setAside).filter(Objects::nonNull).findFirst().orElse(null);
    waiting.forEach(row -> v.put(row.edit().setAside(null).done()));
    Call call = Calls.forAttachment(v, claim, CsiCall.NODE_STAGE);
    String request =
        v.request(attachment.plugin(), Calls.enqueue(claim, call, false, false, goesOn));
    v.put(attachment.requesting(request, CsiCall.NODE_STAGE, claim));
  }

  private static Hold noNodeInstance(VolumeDraft v, Claim claim) {
    String message =
        "plugin " + claim.taken().plugin() + " has no node instance on node " + claim.node();
    return Holding.untilEvent(v, claim, HoldCode.NODE_PLUGIN_MISSING, message);
  }

  /** Tells the alloc that it has the volume. */
  static void grant(VolumeDraft v, Claim claim, Attachment attachment) {
    Claim free = Holding.unhold(v, claim, "attached");
    Claim granted = v.put(free.edit().granted().done());
    v.happened("granted", granted, null, "");
    replyGranted(v, granted, attachment);
  }

  /** The grant as it stands in the rows: the same answer however often it is asked for. */
  static void replyGranted(VolumeDraft v, Claim claim, @Nullable Attachment attachment) {
    v.emit(
        new ClaimsEffect.Replied(
            v.key(),
            claim.alloc(),
            claim.ask(),
            claim.generation(),
            ReplyOutcome.GRANTED,
            null,
            null,
            "",
            null,
            claim.contextWith(attachment)));
  }
}
