package dev.berth.streams.claims;

import dev.berth.records.AttachmentState;
import dev.berth.records.CsiCall;
import dev.berth.records.DriftKind;
import dev.berth.streams.work.Drift;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What follows when the plugin's listings differ from the rows (domain rule "Drift"). What is ours
 * and went is attached again; a detach of ours that waits is tried; what is not ours is reported
 * and left alone, for an attachment that nobody claimed here may be somebody's (K17).
 */
final class Drifting {
  private Drifting() {}

  /**
   * What two complete listings that began after the last call have in common. Nodes on which they
   * differ are not concluded from: what is known of these stays.
   */
  static void listed(VolumeDraft v, Settlement.Listed listed) {
    VolumeListing before = v.listing();
    List<VolumeListing.Foreign> foreign = new ArrayList<>();
    if (ForeignAttachments.anyMayBeOurs(v)) {
      // Nothing is told apart for now; what was found before and is still listed stays found.
      before.foreign().stream()
          .filter(one -> listed.inEither().contains(one.externalNode()))
          .forEach(foreign::add);
    }
    for (String node : ForeignAttachments.notOurs(v, listed.inEither())) {
      VolumeListing.Foreign known = before.foreignAt(node).orElse(null);
      if (known != null) {
        foreign.add(known);
      } else if (listed.inBoth().contains(node)) {
        foreign.add(found(v, node));
      }
    }
    // A detach that is on its way tells itself what became of it.
    before.foreign().stream()
        .filter(one -> one.request() != null && foreign.stream().noneMatch(one::equals))
        .forEach(foreign::add);
    v.put(new VolumeListing(listed.since(), listed.inEither(), foreign));
    v.attachments().stream()
        .filter(attachment -> attachment.requesting(CsiCall.CONTROLLER_UNPUBLISH))
        // Where the two differ nothing is known, and the detach has its backoff.
        .filter(attachment -> agree(listed, attachment.externalNode()))
        .forEach(attachment -> wake(v, attachment.plugin(), attachment.request()));
    if (foreign.isEmpty() && !before.foreign().isEmpty()) {
      ForeignAttachments.wakeBlocked(v);
    }
  }

  /** Whether both listings say the same of a machine; of one that is not known they say nothing. */
  private static boolean agree(Settlement.Listed listed, @Nullable String machine) {
    return machine != null
        && listed.inBoth().contains(machine) == listed.inEither().contains(machine);
  }

  /** A call to a controller for the volume has ended: what was listed before tells nothing now. */
  static void operated(VolumeDraft v) {
    v.put(v.listing().outdated());
  }

  /** Attaches again what should be attached to a node and is not (external-attacher#215). */
  static void advance(VolumeDraft v, String node) {
    Attachment attachment = v.attachment(node);
    Claim user = attachment == null ? null : user(v, attachment);
    // Asked last, since it looks at every claim of the volume.
    if (attachment == null || user == null || calling(v, node)) {
      return;
    }
    boolean missing = missing(v, attachment);
    if (takeBack(v, node, CsiCall.CONTROLLER_PUBLISH)) {
      // Claims whose attach of their own is held must not keep the others from what they had. The
      // answers to these calls make the listings old: what those said is kept in the row.
      if (missing) {
        reportMissing(v, attachment, user);
        v.put(attachment.state(AttachmentState.UNCERTAIN, v.now()));
      }
    } else if (!mounting(v, attachment)) {
      if (missing) {
        reportMissing(v, attachment, user);
      }
      Attaching.again(v, user, attachment);
    }
  }

  /** Whether an attachment is to be made again now, for claims that had it. */
  static boolean makesAgain(VolumeDraft v, Attachment attachment) {
    return attachment.request() == null && user(v, attachment) != null;
  }

  /** The claim for which an attachment is to be made again; null when it is not. */
  private static @Nullable Claim user(VolumeDraft v, Attachment attachment) {
    // An attach that was taken back may be all that is known of it: only an OK settles that.
    boolean unsure = attachment.state() == AttachmentState.UNCERTAIN;
    boolean lost = missing(v, attachment);
    return attachment.published() && (unsure || lost)
        ? v.countingOn(attachment.node()).stream()
            // Attaching to a node that is not there would block the volume.
            .filter(claim -> claim.live() && v.there(claim))
            .filter(claim -> lost ? had(attachment, claim) : uses(attachment, claim))
            // A reader's attach would make a writer's disk read-only.
            .max(Comparator.comparing(claim -> claim.ask().writes()))
            .orElse(null)
        : null;
  }

  private static boolean uses(Attachment attachment, Claim claim) {
    return attachment.serves(claim) || claim.toAttachAgain();
  }

  /**
   * Whether a claim's attachment this was, as far as anybody knows: also of a granted row of which
   * nobody knows by which attach ({@link Restoring}). No attach is made on its account alone, but
   * what it has to have is made again like any other's.
   */
  static boolean had(Attachment attachment, Claim claim) {
    boolean told = claim.granted() && claim.live() && Machines.same(attachment, claim);
    return uses(attachment, claim) || told;
  }

  /** Whether it is known to be gone at the provider. */
  static boolean missing(VolumeDraft v, Attachment attachment) {
    boolean there =
        attachment.state() == AttachmentState.ATTACHED
            || attachment.state() == AttachmentState.UNCERTAIN;
    return attachment.published() && there && v.listing().misses(attachment);
  }

  /** Whether nothing is mounted for now: it is made again first (domain.md, "Attach order"). */
  static boolean comesFirst(VolumeDraft v, Attachment attachment) {
    return attachment.requesting(CsiCall.CONTROLLER_PUBLISH)
        || missing(v, attachment)
        || makesAgain(v, attachment);
  }

  /**
   * Takes back what would mount, which comes after the attach and is asked for anew, and says
   * whether there is anything to wait for.
   */
  private static boolean mounting(VolumeDraft v, Attachment attachment) {
    if (attachment.requesting(CsiCall.NODE_STAGE)) {
      Detaching.withdraw(v, attachment);
    }
    return takeBack(v, attachment.node(), CsiCall.NODE_PUBLISH) || attachment.request() != null;
  }

  /** Takes back such calls of single claims, and says whether there are any. */
  private static boolean takeBack(VolumeDraft v, String node, CsiCall call) {
    List<Claim> asking =
        v.countingOn(node).stream().filter(claim -> claim.requestCall() == call).toList();
    asking.forEach(claim -> v.put(Releasing.withdraw(v, claim)));
    return !asking.isEmpty();
  }

  private static void reportMissing(VolumeDraft v, Attachment attachment, Claim user) {
    String what = "the attachment for alloc " + user.alloc();
    report(
        v,
        attachment.plugin(),
        attachment.externalNode(),
        DriftKind.MISSING,
        what + " is gone at the provider: attaching again");
  }

  private static VolumeListing.Foreign found(VolumeDraft v, String externalNode) {
    Volume volume = v.volume();
    report(
        v,
        volume == null ? "" : volume.spec().plugin(),
        externalNode,
        DriftKind.DANGLING,
        "attached to " + externalNode + " without a claim: left alone; a detach frees it");
    return VolumeListing.Foreign.found(externalNode, v.now());
  }

  private static void report(
      VolumeDraft v, String plugin, @Nullable String externalNode, DriftKind kind, String message) {
    Volume volume = v.volume();
    v.emit(
        new ClaimsEffect.Drifted(
            new Drift(
                plugin,
                volume == null ? null : volume.spec().externalId(),
                externalNode,
                v.key().toString(),
                kind,
                message,
                v.now())));
    v.happened("drift", null, kind.name(), message);
  }

  /** Whether some controller call for the volume is asked for and has not ended. */
  private static boolean calling(VolumeDraft v, String on) {
    return v.attachments().stream()
            .filter(
                attachment ->
                    attachment.requesting(CsiCall.CONTROLLER_PUBLISH)
                        || attachment.requesting(CsiCall.CONTROLLER_UNPUBLISH))
            .anyMatch(attachment -> attachment.node().equals(on) || !held(v, attachment.node()))
        || v.claims().stream()
            .filter(claim -> claim.requestCall() == CsiCall.CONTROLLER_PUBLISH)
            .anyMatch(
                claim -> claim.node().equals(on) ? claim.hold() == null : !held(v, claim.node()))
        || v.listing().foreign().stream()
            .anyMatch(foreign -> foreign.request() != null && foreign.hold() == null);
  }

  /** Whether calls for another node wait: each attempt that ends outdates what was listed. */
  private static boolean held(VolumeDraft v, String node) {
    return v.countingOn(node).stream().anyMatch(claim -> claim.hold() != null);
  }

  static void wake(VolumeDraft v, String plugin, @Nullable String request) {
    if (request != null) {
      v.request(request, plugin, new LaneRequest.Wake(false));
    }
  }
}
