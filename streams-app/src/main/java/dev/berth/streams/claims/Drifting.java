package dev.berth.streams.claims;

import dev.berth.records.AttachmentState;
import dev.berth.records.CsiCall;
import dev.berth.records.DriftKind;
import dev.berth.streams.cluster.NodeView;
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
        .forEach(attachment -> wake(v, attachment.plugin(), attachment.request()));
    if (foreign.isEmpty() && !before.foreign().isEmpty()) {
      ForeignAttachments.wakeBlocked(v);
    }
  }

  /** A call to a controller for the volume has ended: what was listed before tells nothing now. */
  static void operated(VolumeDraft v) {
    v.put(v.listing().outdated());
  }

  /** Attaches again what should be attached to a node and is not (external-attacher#215). */
  static void advance(VolumeDraft v, String node) {
    Attachment attachment = v.attachment(node);
    if (attachment == null || !attachment.published() || calling(v)) {
      return;
    }
    boolean missing =
        attachment.state() == AttachmentState.ATTACHED && v.listing().misses(attachment);
    // An attach that was taken back may be all that is known of it: only an OK settles that.
    if (!missing && attachment.state() != AttachmentState.UNCERTAIN) {
      return;
    }
    NodeView view = v.node(node);
    Claim user =
        v.countingOn(node).stream()
            .filter(claim -> claim.live() && attachment.serves(claim))
            // A reader's attach would make a writer's disk read-only.
            .max(Comparator.comparing(claim -> claim.ask().writes()))
            .orElse(null);
    // Attaching to a node that is not there would block the volume.
    if (user != null && view != null && view.ready()) {
      if (missing) {
        String what = "the attachment for alloc " + user.alloc();
        report(
            v,
            attachment.plugin(),
            attachment.externalNode(),
            DriftKind.MISSING,
            what + " is gone at the provider: attaching again");
      }
      Attaching.again(v, user, attachment);
    }
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
  private static boolean calling(VolumeDraft v) {
    return v.attachments().stream()
            .anyMatch(
                attachment ->
                    attachment.requesting(CsiCall.CONTROLLER_PUBLISH)
                        || attachment.requesting(CsiCall.CONTROLLER_UNPUBLISH))
        || v.claims().stream().anyMatch(claim -> claim.requestCall() == CsiCall.CONTROLLER_PUBLISH)
        || v.listing().foreign().stream().anyMatch(foreign -> foreign.request() != null);
  }

  static void wake(VolumeDraft v, String plugin, @Nullable String request) {
    if (request != null) {
      v.request(request, plugin, new LaneRequest.Wake(false));
    }
  }
}
