package dev.berth.streams.claims;

import dev.berth.records.AttachmentState;
import dev.berth.records.ClaimState;
import dev.berth.records.CsiCall;
import dev.berth.records.NodeStatus;
import dev.berth.records.Staging;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.work.LaneRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of a volume's use on a node: NodeUnstageVolume, then ControllerUnpublishVolume, then the
 * rows are freed. Nothing is freed before the detach is known. Decided anew each time, so also when
 * work that was queued is about to run.
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

  private static void advance(VolumeDraft v, Attachment attachment, List<Claim> rows) {
    List<Claim> detached =
        rows.stream().filter(c -> c.state() == ClaimState.NODE_DETACHED).toList();
    if (rows.stream().anyMatch(Claim::live)) {
      keepForSibling(v, attachment, detached);
    } else if (detached.size() == rows.size()) {
      detach(v, attachment, detached);
    }
  }

  /**
   * A live claim on the node keeps the attachment; only the others' rows go (CSI: one attachment
   * per volume and node).
   */
  private static void keepForSibling(VolumeDraft v, Attachment attachment, List<Claim> detached) {
    if (attachment.requesting(CsiCall.CONTROLLER_UNPUBLISH)) {
      // A queued detach has become pointless; an open one ends first, and then the claim gets an
      // attach of its own.
      withdraw(v, attachment);
      return;
    }
    if (attachment.requesting(CsiCall.NODE_UNSTAGE)) {
      withdraw(v, attachment);
    }
    detached.forEach(
        claim -> Releasing.free(v, claim, "another alloc on the node keeps the attachment"));
  }

  /**
   * When a ControllerUnpublishVolume is sent: every row of the node is unmounted, and nothing
   * stands in for the call.
   */
  private static void detach(VolumeDraft v, Attachment attachment, List<Claim> detached) {
    CsiCall open = attachment.requestCall();
    boolean nodeCall = open == CsiCall.NODE_STAGE || open == CsiCall.NODE_UNSTAGE;
    if (nodeCall && outOfReach(v, detached)) {
      forgetStaging(v, attachment);
    } else if (open == CsiCall.CONTROLLER_PUBLISH || open == CsiCall.NODE_STAGE) {
      withdraw(v, attachment);
    } else if (open != null) {
      if (insteadOfUnpublish(v, attachment, detached) != null) {
        withdraw(v, attachment);
      }
    } else if (unstageDue(v, attachment, detached)) {
      request(v, attachment, detached.get(0), CsiCall.NODE_UNSTAGE);
    } else {
      String substitute = insteadOfUnpublish(v, attachment, detached);
      if (substitute != null) {
        drop(v, attachment);
        detached.forEach(claim -> Releasing.free(v, claim, substitute));
      } else if (!detached.isEmpty()) {
        // What may never have been attached stays uncertain: a detach that is taken back proves
        // nothing.
        Attachment detaching =
            attachment.state() == AttachmentState.UNCERTAIN
                ? attachment
                : attachment.state(AttachmentState.DETACHING, v.now());
        request(v, detaching, knowsNode(detached), CsiCall.CONTROLLER_UNPUBLISH);
      }
    }
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

  /**
   * Why no ControllerUnpublishVolume is needed; null when it is. Absence of information is never a
   * reason.
   */
  private static @Nullable String insteadOfUnpublish(
      VolumeDraft v, Attachment attachment, List<Claim> detached) {
    if (!attachment.controllerRequired()) {
      return "no controller is needed";
    }
    if (v.cannotAttach(attachment.plugin())) {
      return "a live controller of the plugin reports that it does not attach";
    }
    NodeView node = v.node(attachment.node());
    boolean gone = node != null && node.status() == NodeStatus.GONE;
    if (gone && detached.stream().noneMatch(c -> externalNode(v, c) != null)) {
      return "the node is gone and the provider's id of it was never known";
    }
    return null;
  }

  /** Forgets an attachment without a detach, and gives its slot back. */
  static void drop(VolumeDraft v, Attachment attachment) {
    if (attachment.slotHeld()) {
      v.request(
          attachment.plugin(),
          new LaneRequest.ReleaseSlot(attachment.node(), attachment.externalVolume()));
    }
    v.remove(attachment);
  }

  private static @Nullable String externalNode(VolumeDraft v, Claim claim) {
    String known = claim.taken().externalNode();
    InstanceView instance = v.nodeInstance(claim.taken().plugin(), claim.node());
    return known != null || instance == null ? known : instance.externalNode();
  }

  private static Claim knowsNode(List<Claim> detached) {
    return detached.stream()
        .filter(c -> c.taken().externalNode() != null)
        .findFirst()
        .orElse(detached.get(0));
  }

  private static boolean unstageDue(VolumeDraft v, Attachment attachment, List<Claim> detached) {
    InstanceView instance = v.nodeInstance(attachment.plugin(), attachment.node());
    boolean stages = instance == null || instance.stage();
    return attachment.staging() != Staging.NONE
        && stages
        && !detached.isEmpty()
        && !outOfReach(v, detached);
  }

  /** Whether the node cannot be asked any more: its staging goes with it. */
  private static boolean outOfReach(VolumeDraft v, List<Claim> detached) {
    return detached.stream()
        .anyMatch(c -> NodeLoss.unmounted(v.node(c.node()), c, v.policy(c), v.now()) != null);
  }

  private static void request(VolumeDraft v, Attachment attachment, Claim on, CsiCall call) {
    String request =
        v.request(
            attachment.plugin(), new LaneRequest.Enqueue(Calls.forAttachment(v, on, call), false));
    v.put(attachment.requesting(request, call));
  }

  private static void withdraw(VolumeDraft v, Attachment attachment) {
    String request = attachment.request();
    if (request != null && !attachment.withdrawing()) {
      v.request(request, attachment.plugin(), new LaneRequest.Withdraw());
      v.put(attachment.withdrawingRequest());
    }
  }
}
