package dev.berth.streams.claims;

import dev.berth.records.AttachmentState;
import dev.berth.records.CsiCall;
import dev.berth.records.DriftKind;
import dev.berth.records.HoldCode;
import dev.berth.records.RpcCode;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.Drift;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What follows when the plugin's listings differ from the rows (domain rule "Drift"). What is ours
 * and went is attached again; a detach of ours that waits is tried; what is not ours is reported
 * and left alone, for an attachment that nobody claimed here may be somebody's (K17).
 */
final class Drifting {
  private Drifting() {}

  /** Two complete listings that began after the last call agree. */
  static void listed(VolumeDraft v, Settlement.Listed listed) {
    VolumeListing before = v.listing();
    List<VolumeListing.Foreign> foreign = new ArrayList<>();
    for (String node : notOurs(v, listed.nodes())) {
      VolumeListing.Foreign known = before.foreignAt(node).orElse(null);
      foreign.add(known == null ? found(v, node) : known);
    }
    // A detach that is on its way tells itself what became of it.
    before.foreign().stream()
        .filter(one -> one.request() != null && foreign.stream().noneMatch(one::equals))
        .forEach(foreign::add);
    v.put(new VolumeListing(listed.since(), listed.nodes(), foreign));
    v.attachments().stream()
        .filter(attachment -> attachment.requesting(CsiCall.CONTROLLER_UNPUBLISH))
        .forEach(attachment -> wake(v, attachment.plugin(), attachment.request()));
    if (foreign.isEmpty() && !before.foreign().isEmpty()) {
      wakeBlocked(v);
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
            .findFirst()
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

  /**
   * Detaches a known foreign attachment on an operator's word.
   *
   * @param node node (scheduler's id), or the provider's id of one that no scheduler knows
   * @return whether there is one
   */
  static boolean detach(VolumeDraft v, String node) {
    Volume volume = v.volume();
    if (volume == null) {
      return false;
    }
    InstanceView instance = v.nodeInstance(volume.spec().plugin(), node);
    String reported = instance == null ? null : instance.externalNode();
    String externalNode = reported == null ? node : reported;
    VolumeListing.Foreign foreign = v.listing().foreignAt(externalNode).orElse(null);
    // What was found there may have become a claim's own since.
    if (foreign == null || notOurs(v, List.of(externalNode)).isEmpty()) {
      return false;
    }
    if (foreign.request() == null) {
      String request =
          v.request(
              volume.spec().plugin(),
              new LaneRequest.Enqueue(unpublish(volume.spec(), node, externalNode), false));
      replace(v, foreign, foreign.detaching(request));
    }
    return true;
  }

  /**
   * Takes back detaches of foreign attachments that would go under a claim which is to be attached
   * there now.
   *
   * @return whether the attach has to wait until they have come back
   */
  static boolean takesBack(VolumeDraft v, Claim claim) {
    ClaimTerms terms = claim.taken();
    List<String> requests =
        v.listing().foreign().stream()
            .filter(
                foreign ->
                    terms.externalNode() == null
                        || terms.externalNode().equals(foreign.externalNode()))
            .map(VolumeListing.Foreign::request)
            .filter(Objects::nonNull)
            .toList();
    requests.forEach(request -> v.request(request, terms.plugin(), new LaneRequest.Withdraw()));
    return !requests.isEmpty();
  }

  /** The lanes answered to the detach of a foreign attachment, if the request is one. */
  static void settled(VolumeDraft v, Settlement settlement) {
    VolumeListing.Foreign foreign = v.listing().foreignOf(settlement.requestId()).orElse(null);
    if (foreign == null) {
      return;
    }
    Settlement.Body body = settlement.body();
    if (body instanceof Settlement.Done done) {
      replace(v, foreign, null);
      v.happened(
          "detached", null, done.code().name(), "from " + foreign.externalNode() + ", not ours");
      operated(v);
      wakeBlocked(v);
    } else if (body instanceof Settlement.Held held) {
      v.happened("held", null, held.hold().code().name(), held.hold().message());
    } else if (body instanceof Settlement.Failed || body instanceof Settlement.Withdrawn) {
      replace(v, foreign, foreign.detaching(null));
    }
  }

  /** The hold of an attach, which names the foreign attachment that the plugin stumbled over. */
  static Hold explained(VolumeDraft v, CsiCall call, Hold hold) {
    List<VolumeListing.Foreign> foreign = v.listing().foreign();
    if (call != CsiCall.CONTROLLER_PUBLISH
        || hold.rpcCode() != RpcCode.FAILED_PRECONDITION
        || foreign.isEmpty()) {
      return hold;
    }
    String nodes =
        foreign.stream().map(VolumeListing.Foreign::externalNode).collect(Collectors.joining(", "));
    return new Hold(
        HoldCode.FOREIGN_ATTACHMENT,
        hold.message() + " (attached to " + nodes + ", which no claim asked for: detach it there)",
        hold.rpcCode(),
        hold.attempts(),
        hold.firstFailure(),
        hold.lastFailure(),
        hold.nextRetry(),
        hold.stuck());
  }

  private static Set<String> notOurs(VolumeDraft v, List<String> nodes) {
    Set<String> foreign = new TreeSet<>(nodes);
    for (Attachment attachment : v.attachments()) {
      foreign.remove(attachment.externalNode());
      if (attachment.published() && attachment.externalNode() == null) {
        // It may be any of them.
        return Set.of();
      }
    }
    return foreign;
  }

  private static VolumeListing.Foreign found(VolumeDraft v, String externalNode) {
    Volume volume = v.volume();
    report(
        v,
        volume == null ? "" : volume.spec().plugin(),
        externalNode,
        DriftKind.DANGLING,
        "attached to " + externalNode + " without a claim: left alone; a detach frees it");
    return new VolumeListing.Foreign(externalNode, v.now(), null);
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

  private static Call unpublish(VolumeSpec spec, String node, String externalNode) {
    VolumeSpec.Capability mode = spec.capabilities().get(0);
    return new Call(
        CsiCall.CONTROLLER_UNPUBLISH,
        spec.namespace(),
        spec.volume(),
        null,
        node,
        spec.externalId(),
        externalNode,
        mode.access(),
        mode.attachment(),
        false,
        spec.fsType(),
        spec.mountFlags(),
        spec.context(),
        Map.of(),
        spec.secrets());
  }

  private static void replace(
      VolumeDraft v, VolumeListing.Foreign foreign, VolumeListing.@Nullable Foreign by) {
    List<VolumeListing.Foreign> others = new ArrayList<>(v.listing().foreign());
    others.remove(foreign);
    if (by != null) {
      others.add(by);
    }
    v.put(v.listing().with(others));
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

  /** The cause of the wait may be gone: nobody waits out a backoff that has lost its reason. */
  private static void wakeBlocked(VolumeDraft v) {
    v.claims().stream()
        .filter(claim -> claim.hold() != null && claim.hold().code() == HoldCode.FOREIGN_ATTACHMENT)
        .map(claim -> VolumeCommands.requestOf(v, claim))
        .filter(Objects::nonNull)
        .distinct()
        .forEach(request -> wake(v, pluginOf(v), request));
  }

  private static String pluginOf(VolumeDraft v) {
    Volume volume = v.volume();
    return volume == null ? "" : volume.spec().plugin();
  }

  private static void wake(VolumeDraft v, String plugin, @Nullable String request) {
    if (request != null) {
      v.request(request, plugin, new LaneRequest.Wake(false));
    }
  }

  /**
   * The provider's volume is no longer ours to speak of. A detach that an operator asked for and
   * that has not gone out must not reach the volume under whoever registers and claims it next.
   */
  static void forget(VolumeDraft v, String plugin) {
    for (VolumeListing.Foreign found : v.listing().foreign()) {
      if (found.request() != null) {
        v.request(found.request(), plugin, new LaneRequest.Withdraw());
      }
    }
    v.put(VolumeListing.NONE);
  }
}
