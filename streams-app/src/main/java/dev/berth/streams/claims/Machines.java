package dev.berth.streams.claims;

import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.work.Hold;
import java.util.List;

/**
 * A node that was deleted and made anew under its name is another machine, with another id at the
 * provider. What is attached to the one is no use to a claim on the other.
 */
final class Machines {
  private Machines() {}

  /** Whether an attachment is to the machine that a claim is on, as far as can be known. */
  static boolean same(Attachment attachment, Claim claim) {
    String attached = attachment.externalNode();
    return !attachment.mayBeThere()
        || attached == null
        || attached.equals(claim.taken().externalNode())
        || attachment.serves(claim);
  }

  /** Attachments to the machine of a claim, under other names of it, that are being detached. */
  static List<Attachment> detaching(VolumeDraft v, Claim claim) {
    String machine = claim.taken().externalNode();
    return machine == null
        ? List.of()
        : v.attachments().stream()
            .filter(other -> !other.node().equals(claim.node()))
            .filter(other -> machine.equals(other.externalNode()))
            .filter(other -> other.requesting(CsiCall.CONTROLLER_UNPUBLISH))
            .toList();
  }

  /**
   * Whether a claim waits for an attach to the machine of an attachment under another name of it,
   * and nothing there says yet that it may be attached.
   */
  static boolean joins(VolumeDraft v, Claim claim, Attachment attachment) {
    Attachment own = claim.live() ? v.attachment(claim.node()) : null;
    return claim.live()
        && !claim.granted()
        && claim.taken().controllerRequired()
        && !claim.node().equals(attachment.node())
        && attachment.externalNode() != null
        && attachment.externalNode().equals(claim.taken().externalNode())
        && (own == null || (!own.mayBeThere() && !own.serves(claim)))
        && !NodeLoss.down(v.node(claim));
  }

  /** A claim that knows its machine, if the plugin does by now. */
  static Claim identify(VolumeDraft v, Claim claim) {
    ClaimTerms terms = claim.taken();
    InstanceView instance = v.nodeInstance(terms.plugin(), claim.node());
    String found = instance == null ? null : instance.externalNode();
    return terms.externalNode() != null || found == null
        ? claim
        : v.put(claim.edit().terms(terms.at(found)).done());
  }

  /** Why a claim waits for an attachment to another, or perhaps another, machine to go. */
  static Hold waits(VolumeDraft v, Claim claim, Attachment attachment) {
    boolean unknown = claim.taken().externalNode() == null;
    String message =
        unknown
            ? "the provider's id of node "
                + claim.node()
                + " is not known: it may not be the machine that the volume is attached to"
            : "the volume is still attached to "
                + attachment.externalNode()
                + ", the machine that was node "
                + claim.node()
                + " before";
    HoldCode code = unknown ? HoldCode.MISSING_EXTERNAL_NODE_ID : HoldCode.NODE_NOT_CLEAN;
    return Holding.untilEvent(v, claim, code, message);
  }
}
