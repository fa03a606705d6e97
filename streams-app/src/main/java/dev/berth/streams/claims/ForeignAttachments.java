package dev.berth.streams.claims;

import dev.berth.records.ClaimState;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.RpcCode;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Attachments that no claim asked for: left alone until an operator's detach makes their end ours,
 * and from then on as visible as any step that can fail.
 */
final class ForeignAttachments {
  private ForeignAttachments() {}

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
        onMachine(v, terms).map(VolumeListing.Foreign::request).filter(Objects::nonNull).toList();
    requests.forEach(request -> v.request(request, terms.plugin(), new LaneRequest.Withdraw()));
    return !requests.isEmpty();
  }

  /**
   * The hold of such a detach that nobody takes, so that its answer may be long in coming. One that
   * waits otherwise has come back as soon as it is taken back.
   */
  static Optional<Hold> notTaken(VolumeDraft v, ClaimTerms terms) {
    return onMachine(v, terms)
        .map(VolumeListing.Foreign::hold)
        .filter(hold -> hold != null && hold.code() == HoldCode.NO_WORKER)
        .findFirst();
  }

  private static Stream<VolumeListing.Foreign> onMachine(VolumeDraft v, ClaimTerms terms) {
    String machine = terms.externalNode();
    return v.listing().foreign().stream()
        .filter(foreign -> machine == null || machine.equals(foreign.externalNode()));
  }

  /** The lanes answered to the detach of a foreign attachment, if the request is one. */
  static void settled(VolumeDraft v, Settlement settlement) {
    VolumeListing.Foreign foreign = v.listing().foreignOf(settlement.requestId()).orElse(null);
    if (foreign == null) {
      return;
    }
    Settlement.Body body = settlement.body();
    if (body instanceof Settlement.Done done) {
      resolve(v, foreign, "detached");
      replace(v, foreign, null);
      v.happened(
          "detached", null, done.code().name(), "from " + foreign.externalNode() + ", not ours");
      Drifting.operated(v);
      wakeBlocked(v);
    } else if (body instanceof Settlement.Held held) {
      held(v, foreign, held.hold());
    } else if (body instanceof Settlement.Failed || body instanceof Settlement.Withdrawn) {
      resolve(v, foreign, "the detach was taken back");
      replace(v, foreign, foreign.leftAlone());
    }
  }

  /** What was found on a machine became our own meanwhile, and its detach is known. */
  static void detached(VolumeDraft v, @Nullable String machine) {
    VolumeListing.Foreign found =
        machine == null ? null : v.listing().foreignAt(machine).orElse(null);
    if (found != null && found.request() == null) {
      replace(v, found, null);
    }
  }

  private static void held(VolumeDraft v, VolumeListing.Foreign foreign, Hold hold) {
    Hold before = foreign.hold();
    boolean told = Letter.isDue(foreign.letter(), before, hold, CsiCall.CONTROLLER_UNPUBLISH);
    Letter letter = told ? new Letter(hold.code(), CsiCall.CONTROLLER_UNPUBLISH) : foreign.letter();
    VolumeListing.Foreign held = foreign.held(hold, letter);
    replace(v, foreign, held);
    if (before == null || before.code() != hold.code()) {
      v.happened("held", null, hold.code().name(), hold.message());
    }
    if (told) {
      v.emit(new ClaimsEffect.Stuck(letter(v, held, hold), CsiCall.CONTROLLER_UNPUBLISH));
      v.happened("stuck", null, hold.code().name(), hold.message());
    }
  }

  private static void resolve(VolumeDraft v, VolumeListing.Foreign foreign, String how) {
    Hold hold = foreign.hold();
    if (hold != null && foreign.letter() != null) {
      v.emit(new ClaimsEffect.Resolved(letter(v, foreign, hold), how));
      v.happened("resolved", null, null, how);
    }
  }

  static DeadLetter letter(VolumeDraft v, VolumeListing.Foreign foreign, Hold hold) {
    Volume volume = v.volume();
    return new DeadLetter(
        v.key(),
        null,
        foreign.externalNode(),
        pluginOf(v),
        volume == null ? "" : volume.spec().externalId(),
        foreign.externalNode(),
        ClaimState.NODE_DETACHED,
        false,
        hold);
  }

  /**
   * Tries the detaches that wait at once, with a new budget.
   *
   * @return how many (count)
   */
  static int retry(VolumeDraft v) {
    int retried = 0;
    for (VolumeListing.Foreign foreign : v.listing().foreign()) {
      String request = foreign.request();
      Hold hold = foreign.hold();
      if (request != null && hold != null) {
        v.request(request, pluginOf(v), new LaneRequest.Wake(true));
        replace(v, foreign, foreign.held(hold.inNewBudget(v.now()), foreign.letter()));
        retried++;
      }
    }
    return retried;
  }

  /** The hold of an attach, which names the foreign attachment that the plugin stumbled over. */
  static Hold explained(VolumeDraft v, CsiCall call, Hold hold) {
    // What was found there may have become our own since.
    Set<String> foreign =
        notOurs(
            v, v.listing().foreign().stream().map(VolumeListing.Foreign::externalNode).toList());
    if (call != CsiCall.CONTROLLER_PUBLISH
        || hold.rpcCode() != RpcCode.FAILED_PRECONDITION
        || foreign.isEmpty()) {
      return hold;
    }
    String nodes = String.join(", ", foreign);
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

  /** Whether an attachment of ours is to a machine that is not known: any listed one may be it. */
  static boolean anyMayBeOurs(VolumeDraft v) {
    return v.attachments().stream().anyMatch(a -> a.mayBeThere() && a.externalNode() == null);
  }

  /** Those of the listed nodes that no attachment of ours is to. */
  static Set<String> notOurs(VolumeDraft v, List<String> nodes) {
    Set<String> foreign = new TreeSet<>(nodes);
    for (Attachment attachment : v.attachments()) {
      String own = attachment.externalNode();
      if (own != null) {
        foreign.remove(own);
      } else if (attachment.mayBeThere()) {
        // It may be any of them.
        return Set.of();
      }
    }
    return foreign;
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

  /** The cause of the wait may be gone: nobody waits out a backoff that has lost its reason. */
  static void wakeBlocked(VolumeDraft v) {
    v.claims().stream()
        .filter(claim -> claim.hold() != null && claim.hold().code() == HoldCode.FOREIGN_ATTACHMENT)
        .map(claim -> VolumeCommands.requestOf(v, claim))
        .filter(Objects::nonNull)
        .distinct()
        .forEach(request -> Drifting.wake(v, pluginOf(v), request));
  }

  private static String pluginOf(VolumeDraft v) {
    Volume volume = v.volume();
    return volume == null ? "" : volume.spec().plugin();
  }

  /**
   * The provider's volume is no longer ours to speak of. A detach that an operator asked for and
   * that has not gone out must not reach the volume under whoever registers and claims it next.
   */
  static void forget(VolumeDraft v, String plugin) {
    for (VolumeListing.Foreign found : v.listing().foreign()) {
      if (found.request() != null) {
        v.request(found.request(), plugin, new LaneRequest.Withdraw());
        resolve(v, found, "the volume is registered no more");
      }
    }
    v.put(VolumeListing.NONE);
  }
}
