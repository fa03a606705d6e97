package dev.berth.streams.claims;

import dev.berth.records.AttachmentState;
import dev.berth.records.ClaimState;
import dev.berth.records.CsiCall;
import dev.berth.records.NodeStatus;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When is a ControllerUnpublishVolume sent? This is the whole rule: in {@link #of} the first line
 * that holds decides. It looks at the rows as they are now and is asked after every event, so also
 * when a call that was queued is about to run. (An operator's detach of an attachment that no claim
 * asked for is the one exception: {@link ForeignAttachments#detach}.)
 */
enum DetachRule {
  /** A live claim keeps the attachment; only the rows of the others go. */
  KEEP,
  /** Not yet. */
  WAIT,
  /** The call that is open for the attachment is taken back first. */
  TAKE_BACK,
  /** The node cannot answer any more, and its staging went with it. */
  FORGET_STAGING,
  /** NodeUnstageVolume comes first, and the node is down: an operator hears of it at once. */
  NODE_LOST,
  /** NodeUnstageVolume comes first (CSI, ControllerUnpublishVolume). */
  UNSTAGE,
  /** Nothing is sent: something stands in for the call, and the rows are freed. */
  FREE,
  /** Here it is sent. */
  UNPUBLISH;

  /**
   * The next step towards the end of an attachment.
   *
   * @param rows claims that count on its node and machine, on their way out or not
   */
  static DetachRule of(VolumeDraft v, Attachment attachment, List<Claim> rows) {
    CsiCall open = attachment.requestCall();
    boolean nodeCall = open == CsiCall.NODE_STAGE || open == CsiCall.NODE_UNSTAGE;
    if (rows.stream().anyMatch(Claim::live)) {
      return KEEP; // CSI: one attachment per volume and node, whoever uses it there
    } else if (open == CsiCall.CONTROLLER_PUBLISH) {
      return TAKE_BACK; // nobody wants it any more, and it could attach behind the detach
    } else if (rows.stream().anyMatch(row -> row.state() != ClaimState.NODE_DETACHED)) {
      return WAIT; // may still be mounted for one of them (nomad#11776)
    } else if (nodeCall && outOfReach(v, rows)) {
      return FORGET_STAGING;
    } else if (rows.stream().anyMatch(row -> NodeLoss.down(v.node(row)))
        && (open == CsiCall.NODE_UNSTAGE || (open == null && unstageDue(v, attachment, rows)))) {
      return NODE_LOST;
    } else if (open == CsiCall.NODE_STAGE) {
      return TAKE_BACK; // it could mount behind the detach
    } else if (open == CsiCall.NODE_UNSTAGE) {
      // What stands in for the detach does not stand in for this: it is made, or owed no more.
      return unstageDue(v, attachment, rows) ? WAIT : TAKE_BACK;
    } else if (open != null) {
      return insteadOfUnpublish(v, attachment, rows) == null ? WAIT : TAKE_BACK;
    } else if (unstageDue(v, attachment, rows)) {
      return UNSTAGE;
    } else if (insteadOfUnpublish(v, attachment, rows) != null) {
      return FREE;
    }
    return rows.isEmpty() || joined(v, attachment) ? WAIT : UNPUBLISH;
  }

  /**
   * Why no ControllerUnpublishVolume is needed; null when it is. Absence of information is never a
   * reason.
   */
  static @Nullable String insteadOfUnpublish(
      VolumeDraft v, Attachment attachment, List<Claim> rows) {
    if (!attachment.controllerRequired()) {
      return "no controller is needed";
    }
    if (v.cannotAttach(attachment.plugin())) {
      return "a live controller of the plugin reports that it does not attach";
    }
    Attachment keeper = keeper(v, attachment);
    if (keeper != null) {
      return "node %s is the same machine to the provider and keeps the attachment"
          .formatted(keeper.node());
    }
    boolean gone =
        gone(v.node(attachment.node())) && rows.stream().allMatch(row -> gone(v.node(row)));
    if (gone
        && (attachment.externalNode() == null || !rows.isEmpty())
        && rows.stream().noneMatch(row -> externalNode(v, row) != null)) {
      return "the node is gone and the provider's id of it was never known";
    }
    return null;
  }

  /**
   * The attachment that takes over what an attachment made, and owes its detach; null when there is
   * none.
   */
  static @Nullable Attachment keeper(VolumeDraft v, Attachment attachment) {
    return sharers(v, attachment)
        .filter(other -> other.state() != AttachmentState.ATTACHING)
        .findFirst()
        .orElse(null);
  }

  /**
   * Attachments of the volume to the same machine under another name of the scheduler's, a host
   * that was installed anew for example: the provider knows one attachment, and the last one
   * detaches it. One that needed no attach when its claims were taken counts while they use it:
   * what is there they use.
   */
  private static Stream<Attachment> sharers(VolumeDraft v, Attachment attachment) {
    String machine = Machines.of(v, attachment);
    return machine == null
        ? Stream.empty()
        : v.attachments().stream()
            .filter(other -> !other.node().equals(attachment.node()))
            .filter(other -> other.mayBeThere() || serves(v, other))
            .filter(other -> machine.equals(Machines.of(v, other)));
  }

  private static boolean serves(VolumeDraft v, Attachment attachment) {
    return v.countingOn(attachment.node()).stream().anyMatch(attachment::serves);
  }

  /** Whether the machine is about to be attached under another name of it. */
  private static boolean joined(VolumeDraft v, Attachment attachment) {
    return sharers(v, attachment).anyMatch(a -> a.state() == AttachmentState.ATTACHING)
        || v.claims().stream().anyMatch(claim -> Machines.joins(v, claim, attachment));
  }

  private static boolean gone(@Nullable NodeView node) {
    return node != null && node.status() == NodeStatus.GONE;
  }

  private static @Nullable String externalNode(VolumeDraft v, Claim claim) {
    String known = claim.taken().externalNode();
    InstanceView instance = v.nodeInstance(claim.taken().plugin(), claim.node());
    return known != null || instance == null ? known : instance.externalNode();
  }

  private static boolean unstageDue(VolumeDraft v, Attachment attachment, List<Claim> rows) {
    InstanceView instance = v.nodeInstance(attachment.plugin(), attachment.node());
    boolean stages = instance == null || instance.stage();
    return attachment.mayBeStaged() && stages && !rows.isEmpty() && !outOfReach(v, rows);
  }

  /** Whether the node cannot be asked any more: its staging goes with it. */
  private static boolean outOfReach(VolumeDraft v, List<Claim> rows) {
    return rows.stream()
        .anyMatch(c -> NodeLoss.unmounted(v.node(c), c, v.policy(c), v.now()) != null);
  }
}
