package dev.berth.streams.query;

import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ClaimFilter;
import dev.berth.proto.api.ClaimMode;
import dev.berth.proto.api.ListStuckRequest;
import dev.berth.proto.api.Stuck;
import dev.berth.records.CsiCall;
import dev.berth.streams.claims.ClaimTerms;
import dev.berth.streams.claims.DeadLetter;
import dev.berth.streams.claims.NextStep;
import dev.berth.streams.claims.VolumeStatus;
import dev.berth.streams.codec.StuckClaimCodec;
import dev.berth.streams.work.Hold;
import org.jspecify.annotations.Nullable;

/** Claims as the API tells of them. Secrets, mount flags and publish contexts are left out. */
final class ClaimMessages {
  private ClaimMessages() {}

  /**
   * A claim.
   *
   * @param status the volume that it is on
   */
  static Claim of(dev.berth.streams.claims.Claim claim, VolumeStatus status) {
    NextStep next = status.nextStep(claim);
    Claim.Builder message =
        Claim.newBuilder()
            .setRef(Words.ref(claim.key()))
            .setAlloc(claim.alloc())
            .setNode(claim.node())
            .setScheduler(claim.ask().scheduler())
            .setJobType(Words.of(claim.ask().jobType()))
            .setPlugin(plugin(claim, status))
            .setMode(ClaimMode.valueOf("CLAIM_MODE_" + claim.ask().mode().name()))
            .setCapability(Words.capability(claim.ask().access(), claim.ask().attachment()))
            .setState(Words.state(claim.state()))
            .setGeneration(claim.generation())
            .setClaimedAt(ProtoTime.timestamp(claim.ask().at()))
            .setStateSince(ProtoTime.timestamp(claim.stateSince()))
            .setStuck(claim.reported())
            .setGranted(claim.granted())
            .setClientStatus(Words.of(claim.client()))
            .setNodeStep(Words.of(claim.nodeStep()))
            .setNextStep(next.word());
    if (next.request() != null) {
      message.setRequest(next.request());
    }
    if (claim.ask().job() != null) {
      message.setJob(claim.ask().job());
    }
    if (claim.heldBy() != null) {
      message.addHeldBy(claim.heldBy().alloc());
    }
    setTerms(message, claim.terms());
    setTrouble(message, claim, status);
    return message.build();
  }

  private static void setTerms(Claim.Builder message, @Nullable ClaimTerms terms) {
    if (terms != null) {
      message
          .setExternalId(terms.externalVolume())
          .setControllerRequired(terms.controllerRequired());
      if (terms.externalNode() != null) {
        message.setExternalNodeId(terms.externalNode());
      }
    }
  }

  private static void setTrouble(
      Claim.Builder message, dev.berth.streams.claims.Claim claim, VolumeStatus status) {
    Hold hold = claim.hold();
    if (hold != null) {
      message.setHold(
          Words.hold(hold, StuckClaimCodec.remedy(claim, status.volume().orElse(null))));
    }
    if (claim.ending() != null) {
      message
          .setEndCause(Words.of(claim.ending().cause()))
          .setEndedAt(ProtoTime.timestamp(claim.ending().at()));
    }
  }

  /** A claim that waits has no terms yet: its plugin is the volume's. */
  static String plugin(dev.berth.streams.claims.Claim claim, VolumeStatus status) {
    return claim.terms() != null
        ? claim.terms().plugin()
        : status.volume().map(volume -> volume.spec().plugin()).orElse("");
  }

  /**
   * The detach of an attachment that no claim asked for, when it needs an operator. It is told as a
   * claim without an alloc.
   */
  static Stuck stuck(DeadLetter letter) {
    return stuck(
        Claim.newBuilder()
            .setRef(Words.ref(letter.key()))
            .setNode(letter.node())
            .setPlugin(letter.plugin())
            .setState(Words.state(letter.state()))
            .setExternalId(letter.externalVolume())
            .setExternalNodeId(letter.externalNode() == null ? "" : letter.externalNode())
            .setNextStep(NextStep.word(CsiCall.CONTROLLER_UNPUBLISH))
            .setStuck(true)
            .setHold(Words.hold(letter.hold(), StuckClaimCodec.remedy(letter)))
            .build());
  }

  /** A claim that needs an operator, in the words of its dead letter. */
  static Stuck stuck(Claim claim) {
    Stuck.Builder message =
        Stuck.newBuilder()
            .setClaim(claim)
            .setStep(claim.getNextStep())
            .setCode(claim.getHold().getCode())
            .setAttempts(claim.getHold().getAttempts())
            .setFirstFailureAt(claim.getHold().getSince())
            .setLastFailureAt(claim.getHold().getLastFailureAt())
            .setLastMessage(claim.getHold().getDetail())
            .setRpcCode(claim.getHold().getRpcCode())
            .setRemedy(claim.getHold().getRemedy());
    if (claim.getHold().hasNextAttemptAt()) {
      message.setNextAttemptAt(claim.getHold().getNextAttemptAt());
    }
    return message.build();
  }

  /** Whether a claim is one of those asked for. */
  static boolean matches(ClaimFilter filter, Claim claim) {
    return matches(filter.getNamespace(), claim.getRef().getNamespace())
        && matches(filter.getVolume(), claim.getRef().getVolume())
        && matches(filter.getAlloc(), claim.getAlloc())
        && matches(filter.getNode(), claim.getNode())
        && matches(filter.getPlugin(), claim.getPlugin())
        && matches(filter.getScheduler(), claim.getScheduler())
        && (!filter.getStuck() || claim.getStuck())
        && (filter.getStatesCount() == 0 || filter.getStatesList().contains(claim.getState()));
  }

  /** Whether a stuck claim is one of those asked for. */
  static boolean matches(ListStuckRequest filter, Claim claim) {
    return claim.getStuck()
        && claim.hasHold()
        && matches(filter.getNamespace(), claim.getRef().getNamespace())
        && matches(filter.getVolume(), claim.getRef().getVolume())
        && matches(filter.getAlloc(), claim.getAlloc())
        && matches(filter.getPlugin(), claim.getPlugin())
        && matches(filter.getNode(), claim.getNode())
        && matches(filter.getCode(), claim.getHold().getCode());
  }

  /** An empty filter matches everything. */
  static boolean matches(String filter, String value) {
    return filter.isEmpty() || filter.equals(value);
  }
}
