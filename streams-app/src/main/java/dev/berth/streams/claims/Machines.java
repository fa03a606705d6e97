package dev.berth.streams.claims;

import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.work.Hold;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /**
   * The machine that a detach of an attachment would go to: what is known of it, else what the node
   * plugin reports now, as the lanes take it.
   */
  static @Nullable String of(VolumeDraft v, Attachment attachment) {
    InstanceView instance = v.nodeInstance(attachment.plugin(), attachment.node());
    String known = attachment.externalNode();
    return known != null || instance == null ? known : instance.externalNode();
  }

  /** Attachments to the machine of a claim, under other names of it, that are being detached. */
  static List<Attachment> detaching(VolumeDraft v, Claim claim) {
    String machine = claim.taken().externalNode();
    return machine == null
        ? List.of()
        : v.attachments().stream()
            .filter(other -> !other.node().equals(claim.node()))
            .filter(other -> machine.equals(of(v, other)))
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
        && claim.taken().externalNode() != null
        && claim.taken().externalNode().equals(of(v, attachment))
        && (own == null || (!own.mayBeThere() && !own.serves(claim)))
        && !NodeLoss.down(v.node(claim));
  }

  /**
   * What was attached to a machine goes over to its other name, whose claims needed no attach when
   * they were taken: with the last of them it is detached, from that machine.
   */
  static void takesOver(VolumeDraft v, Attachment keeper, Attachment leaving) {
    perhapsAttached(v, keeper, of(v, leaving));
  }

  /**
   * What claims use without an attach may be attached all the same: then its detach is owed to the
   * machine that the attach was sent to, whatever the node is later.
   */
  static void perhapsAttached(VolumeDraft v, Attachment attachment, @Nullable String machine) {
    if (machine == null) {
      v.put(attachment.perhapsAttached());
      return;
    }
    v.put(attachment.at(machine).perhapsAttached());
    name(v, attachment, machine);
  }

  /**
   * The machine that an attach was made to is that of the claims that used the volume there before,
   * when nobody knew it: they may be the last, and then the detach goes out on their terms.
   */
  static void name(VolumeDraft v, Attachment attachment, String machine) {
    v.countingOn(attachment.node()).stream()
        .filter(claim -> attachment.serves(claim) && claim.taken().externalNode() == null)
        .forEach(claim -> v.put(claim.edit().terms(claim.taken().at(machine)).done()));
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
