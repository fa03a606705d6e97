package dev.berth.streams.claims;

import dev.berth.records.AttachmentState;
import dev.berth.records.ClaimState;
import dev.berth.records.CsiCall;
import dev.berth.records.NodeStep;
import dev.berth.records.Staging;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.work.LaneRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The end of a volume's use on a node: NodeUnstageVolume, then ControllerUnpublishVolume, then the
 * rows are freed. Nothing is freed before the detach is known. What comes when is said by {@link
 * DetachRule}.
 */
final class Detaching {
  private Detaching() {}

  /** Takes the detach of the volume from a node as far as it goes now. */
  static void advance(VolumeDraft v, String node) {
    List<Claim> rows = v.countingOn(node);
    Attachment attachment = v.attachment(node);
    List<Claim> detached =
        rows.stream().filter(c -> c.state() == ClaimState.NODE_DETACHED).toList();
    if (attachment == null) {
      detached.forEach(claim -> Releasing.free(v, claim, "nothing is attached"));
    } else {
      detached.stream()
          .filter(claim -> !Machines.same(attachment, claim))
          .forEach(claim -> Releasing.free(v, claim, "nothing is attached for it"));
      advance(
          v,
          attachment,
          v.countingOn(node).stream().filter(c -> Machines.same(attachment, c)).toList());
    }
  }

  private static void advance(VolumeDraft v, Attachment attachment, List<Claim> counting) {
    List<Claim> rows = counting.stream().map(row -> leftStaged(v, attachment, row)).toList();
    switch (DetachRule.of(v, attachment, rows)) {
      case KEEP -> keepForSibling(v, attachment, rows);
      case WAIT -> {
        // What it waits for is an event, which asks again.
      }
      case TAKE_BACK -> withdraw(v, attachment);
      case FORGET_STAGING -> forgetStaging(v, attachment);
      case NODE_LOST -> {
        withdraw(v, attachment);
        // Another scheduler's claim may not call the node lost: its own word counts.
        rows.stream()
            .filter(row -> NodeLoss.down(v.node(row)))
            .forEach(row -> NodeSteps.holdLost(v, row));
      }
      case UNSTAGE -> {
        List<Claim> free = rows.stream().map(row -> NodeSteps.contactIsBack(v, row)).toList();
        request(v, attachment, free.get(0), CsiCall.NODE_UNSTAGE);
      }
      case FREE -> free(v, attachment, rows);
      case UNPUBLISH ->
          unpublish(v, attachment, rows.stream().map(row -> NodeSteps.lossIsOver(v, row)).toList());
    }
  }

  /** What a fence cut off from its unstaging is left on the node as much as a mount is. */
  private static Claim leftStaged(VolumeDraft v, Attachment attachment, Claim row) {
    NodeView node = v.node(row);
    return attachment.mayBeStaged()
            && row.state() == ClaimState.NODE_DETACHED
            && row.nodeStep() != NodeStep.FENCED
            && node != null
            && NodeLoss.unmounted(node, row, v.policy(row), v.now()) == NodeStep.FENCED
        ? v.put(row.edit().nodeStep(NodeStep.FENCED).done())
        : row;
  }

  /**
   * A live claim on the node keeps the attachment; only the others' rows go (CSI: one attachment
   * per volume and node).
   */
  private static void keepForSibling(VolumeDraft v, Attachment attachment, List<Claim> rows) {
    if (attachment.requesting(CsiCall.CONTROLLER_UNPUBLISH)) {
      // A queued detach has become pointless; an open one ends first, and then the claim gets an
      // attach of its own.
      withdraw(v, attachment);
      return;
    }
    if (attachment.requesting(CsiCall.NODE_UNSTAGE)) {
      withdraw(v, attachment);
    }
    if (attachment.requesting(CsiCall.CONTROLLER_PUBLISH)
        && rows.stream()
            .noneMatch(r -> r.live() && (attachment.serves(r) || attachment.askedAs(r)))) {
      // Those it was made for have gone; the others get one of their own.
      withdraw(v, attachment);
    } else if (waitsForAnother(v, attachment, rows)) {
      withdraw(v, attachment);
    }
    if (!attachment.published()) {
      rows.stream()
          .filter(row -> row.live() && row.requestCall() == CsiCall.CONTROLLER_PUBLISH)
          .filter(row -> keepsWaiting(v, row, rows))
          .forEach(row -> v.put(Releasing.withdraw(v, row)));
    }
    rows.stream()
        .filter(row -> row.state() == ClaimState.NODE_DETACHED)
        .forEach(row -> Releasing.free(v, row, "another alloc on the node keeps the attachment"));
  }

  /**
   * Whether an attach waits on the word of a scheduler that the node is lost, while another's claim
   * could go on: it is asked for anew on the terms of that. (Calls to the node itself never differ:
   * that it can be reached counts for all.)
   */
  private static boolean waitsForAnother(VolumeDraft v, Attachment attachment, List<Claim> rows) {
    String scheduler = attachment.requestScheduler();
    return scheduler != null
        && attachment.requesting(CsiCall.CONTROLLER_PUBLISH)
        && lost(v.node(attachment.node(), scheduler))
        && rows.stream().anyMatch(row -> row.live() && !lost(v.node(row)));
  }

  /**
   * Whether a claim's first attach waits on the word of its scheduler that the node is lost, while
   * others, which it would serve too, could go on: one of them makes it.
   */
  private static boolean keepsWaiting(VolumeDraft v, Claim claim, List<Claim> rows) {
    return lost(v.node(claim))
        && rows.stream()
            .filter(row -> row.live() && !row.granted() && row.request() == null)
            .anyMatch(row -> !lost(v.node(row)));
  }

  private static boolean lost(@Nullable NodeView node) {
    return node != null && node.lost();
  }

  /** Something stands in for the detach: it is over. */
  private static void free(VolumeDraft v, Attachment attachment, List<Claim> rows) {
    String substitute =
        Objects.requireNonNullElse(DetachRule.insteadOfUnpublish(v, attachment, rows), "");
    Attachment keeper = DetachRule.keeper(v, attachment);
    if (attachment.mayBeThere() && keeper != null && !keeper.mayBeThere()) {
      Machines.takesOver(v, keeper, attachment);
    }
    drop(v, attachment);
    rows.forEach(row -> Releasing.free(v, row, substitute));
  }

  private static void unpublish(VolumeDraft v, Attachment attachment, List<Claim> rows) {
    // What may never have been attached stays uncertain: a detach that is taken back proves
    // nothing.
    Attachment detaching =
        attachment.state() == AttachmentState.UNCERTAIN
            ? attachment
            : attachment.state(AttachmentState.DETACHING, v.now());
    request(v, detaching, knowsNode(attachment, rows), CsiCall.CONTROLLER_UNPUBLISH);
  }

  /**
   * The last claim's mount on a node counts as undone without the node: so does the staging. What
   * is staged after this is another staging.
   */
  static void stagingIsLost(VolumeDraft v, String node) {
    Attachment attachment = v.attachment(node);
    if (attachment != null
        && v.countingOn(node).stream()
            .filter(claim -> Machines.same(attachment, claim))
            .allMatch(claim -> NodeSteps.done(claim.nodeStep()))) {
      forgetStaging(v, attachment);
    }
  }

  /** The node cannot answer any more, and its staging went with it. */
  private static void forgetStaging(VolumeDraft v, Attachment attachment) {
    CsiCall open = attachment.requestCall();
    boolean nodeCall = open == CsiCall.NODE_STAGE || open == CsiCall.NODE_UNSTAGE;
    if (nodeCall) {
      withdraw(v, attachment);
    }
    v.put((nodeCall ? attachment.settled() : attachment).staging(Staging.NONE));
  }

  /** Forgets an attachment without a detach, and gives its slot back. */
  static void drop(VolumeDraft v, Attachment attachment) {
    releaseSlot(v, attachment);
    v.remove(attachment);
  }

  static void releaseSlot(VolumeDraft v, Attachment attachment) {
    if (attachment.slotHeld()) {
      v.request(
          attachment.plugin(),
          new LaneRequest.ReleaseSlot(attachment.node(), attachment.externalVolume()));
    }
  }

  /** The row that knows the machine; a claim that counts beside it may be of one before. */
  private static Claim knowsNode(Attachment attachment, List<Claim> detached) {
    return detached.stream()
        .filter(c -> c.taken().externalNode() != null)
        .max(
            Comparator.comparing(
                c -> Objects.equals(c.taken().externalNode(), attachment.externalNode())))
        .orElse(detached.get(0));
  }

  private static void request(VolumeDraft v, Attachment attachment, Claim on, CsiCall call) {
    String request =
        v.request(attachment.plugin(), Calls.enqueue(on, Calls.forAttachment(v, on, call)));
    v.put(attachment.requesting(request, call, on));
  }

  static void withdraw(VolumeDraft v, Attachment attachment) {
    String request = attachment.request();
    if (request != null && !attachment.withdrawing()) {
      v.request(request, attachment.plugin(), new LaneRequest.Withdraw());
      v.put(attachment.withdrawingRequest());
    }
  }
}
