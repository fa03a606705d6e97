package dev.berth.ops.command;

import com.google.protobuf.Timestamp;
import dev.berth.proto.api.AccessMode;
import dev.berth.proto.api.Attachment;
import dev.berth.proto.api.AttachmentMode;
import dev.berth.proto.api.AttachmentState;
import dev.berth.proto.api.Capability;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ClaimMode;
import dev.berth.proto.api.ClaimState;
import dev.berth.proto.api.GetVolumeResponse;
import dev.berth.proto.api.Hold;
import dev.berth.proto.api.Stuck;
import dev.berth.proto.api.Topology;
import dev.berth.proto.api.Volume;
import dev.berth.proto.api.VolumeRef;
import dev.berth.proto.api.VolumeState;
import java.time.Duration;
import java.time.Instant;

/** Answers of the API, as an instance gives them at {@link #NOW}. */
final class ApiAnswers {
  static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  private static final Capability SINGLE =
      Capability.newBuilder()
          .setAccess(AccessMode.ACCESS_MODE_SINGLE_NODE_WRITER)
          .setAttachment(AttachmentMode.ATTACHMENT_MODE_FILE_SYSTEM)
          .build();

  private ApiAnswers() {}

  static Timestamp ago(Duration duration) {
    return at(NOW.minus(duration));
  }

  static Timestamp at(Instant instant) {
    return Timestamp.newBuilder().setSeconds(instant.getEpochSecond()).build();
  }

  static VolumeRef ref(String volume) {
    return VolumeRef.newBuilder().setNamespace("prod").setVolume(volume).build();
  }

  static Volume volume(String id) {
    return Volume.newBuilder()
        .setRef(ref(id))
        .setPlugin("ebs")
        .setExternalId("vol-" + id)
        .addCapabilities(SINGLE)
        .addTopologies(Topology.newBuilder().putSegments("zone", "a").putSegments("region", "eu"))
        .setCurrent(SINGLE)
        .setWriters(1)
        .setWaiting(1)
        .setStuck(1)
        .setSchedulable(true)
        .setState(VolumeState.VOLUME_STATE_REGISTERED)
        .setRegisteredAt(ago(Duration.ofDays(3)))
        .setRegisteredBy("ann")
        .setRegisteredReason("new service")
        .build();
  }

  static Claim ending(String volume, String alloc) {
    return Claim.newBuilder()
        .setRef(ref(volume))
        .setAlloc(alloc)
        .setNode("n1")
        .setScheduler("east")
        .setJob("web")
        .setJobType("service")
        .setPlugin("ebs")
        .setMode(ClaimMode.CLAIM_MODE_WRITE)
        .setState(ClaimState.CLAIM_STATE_NODE_DETACHED)
        .setGeneration(7)
        .setClaimedAt(ago(Duration.ofHours(5)))
        .setStateSince(ago(Duration.ofMinutes(12)))
        .setClientStatus("complete")
        .setEndCause("alloc-terminal")
        .setEndedAt(ago(Duration.ofMinutes(13)))
        .setNextStep("detach")
        .setStuck(true)
        .setHold(
            Hold.newBuilder()
                .setCode("controller-error")
                .setDetail("no permission to detach vol-db from i-1")
                .setRpcCode("PERMISSION_DENIED")
                .setAttempts(4)
                .setStuck(true)
                .setSince(ago(Duration.ofMinutes(12)))
                .setLastFailureAt(ago(Duration.ofSeconds(30)))
                .setNextAttemptAt(at(NOW.plusSeconds(270)))
                .setRemedy("See the log of plugin ebs."))
        .build();
  }

  static Claim waiting(String volume, String alloc, String holder) {
    return Claim.newBuilder()
        .setRef(ref(volume))
        .setAlloc(alloc)
        .setNode("n2")
        .setPlugin("ebs")
        .setMode(ClaimMode.CLAIM_MODE_WRITE)
        .setState(ClaimState.CLAIM_STATE_WAITING)
        .setClaimedAt(ago(Duration.ofMinutes(10)))
        .setStateSince(ago(Duration.ofMinutes(10)))
        .setNextStep("wait")
        .addHeldBy(holder)
        .build();
  }

  static GetVolumeResponse status() {
    return GetVolumeResponse.newBuilder()
        .setVolume(volume("db"))
        .addClaims(ending("db", "a1"))
        .addClaims(waiting("db", "a2", "a1"))
        .addAttachments(
            Attachment.newBuilder()
                .setRef(ref("db"))
                .setNode("n1")
                .setExternalNodeId("i-1")
                .setState(AttachmentState.ATTACHMENT_STATE_DETACHING)
                .setStateSince(ago(Duration.ofMinutes(12)))
                .setClaims(1))
        .build();
  }

  static Stuck stuck(String volume, String alloc) {
    Claim claim = ending(volume, alloc);
    Hold hold = claim.getHold();
    return Stuck.newBuilder()
        .setClaim(claim)
        .setStep("detach")
        .setCode(hold.getCode())
        .setAttempts(hold.getAttempts())
        .setFirstFailureAt(hold.getSince())
        .setLastFailureAt(hold.getLastFailureAt())
        .setLastMessage(hold.getDetail())
        .setRpcCode(hold.getRpcCode())
        .setRemedy(hold.getRemedy())
        .setNextAttemptAt(hold.getNextAttemptAt())
        .build();
  }
}
