package dev.berth.streams.query;

import dev.berth.proto.api.AccessMode;
import dev.berth.proto.api.AttachmentMode;
import dev.berth.proto.api.Capability;
import dev.berth.proto.api.ClaimState;
import dev.berth.proto.api.Hold;
import dev.berth.proto.api.VolumeRef;
import dev.berth.records.CsiCall;
import dev.berth.streams.claims.VolumeKey;
import java.util.Locale;

/** What several messages have in common. */
final class Words {
  private Words() {}

  /** A symbol as the API writes it: {@code node-lost}. */
  static String of(Enum<?> symbol) {
    return symbol.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A call by its name in CSI. */
  static String csi(CsiCall call) {
    return switch (call) {
      case CONTROLLER_PUBLISH -> "ControllerPublishVolume";
      case CONTROLLER_UNPUBLISH -> "ControllerUnpublishVolume";
      case NODE_STAGE -> "NodeStageVolume";
      case NODE_PUBLISH -> "NodePublishVolume";
      case NODE_UNPUBLISH -> "NodeUnpublishVolume";
      case NODE_UNSTAGE -> "NodeUnstageVolume";
    };
  }

  static VolumeRef ref(VolumeKey key) {
    return ref(key.namespace(), key.volume());
  }

  static VolumeRef ref(String namespace, String volume) {
    return VolumeRef.newBuilder().setNamespace(namespace).setVolume(volume).build();
  }

  static Capability capability(
      dev.berth.records.AccessMode access, dev.berth.records.AttachmentMode attachment) {
    return Capability.newBuilder()
        .setAccess(AccessMode.valueOf("ACCESS_MODE_" + access.name()))
        .setAttachment(AttachmentMode.valueOf("ATTACHMENT_MODE_" + attachment.name()))
        .build();
  }

  /** A claim that only reserves its slot is shown as waiting, see the record. */
  static ClaimState state(dev.berth.records.ClaimState state) {
    return switch (state) {
      case WAITING, RESERVING -> ClaimState.CLAIM_STATE_WAITING;
      case TAKEN -> ClaimState.CLAIM_STATE_TAKEN;
      case UNPUBLISHING -> ClaimState.CLAIM_STATE_UNPUBLISHING;
      case NODE_DETACHED -> ClaimState.CLAIM_STATE_NODE_DETACHED;
      case CONTROLLER_DETACHED -> ClaimState.CLAIM_STATE_CONTROLLER_DETACHED;
    };
  }

  /**
   * A hold.
   *
   * @param remedy what would end it, for people; may be empty
   */
  static Hold hold(dev.berth.streams.work.Hold hold, String remedy) {
    Hold.Builder message =
        Hold.newBuilder()
            .setCode(of(hold.code()))
            .setDetail(hold.message())
            .setSince(ProtoTime.timestamp(hold.firstFailure()))
            .setLastFailureAt(ProtoTime.timestamp(hold.lastFailure()))
            .setAttempts(hold.attempts())
            .setStuck(hold.stuck())
            .setRemedy(remedy);
    if (hold.nextRetry() != null) {
      message.setNextAttemptAt(ProtoTime.timestamp(hold.nextRetry()));
    }
    if (hold.rpcCode() != null) {
      message.setRpcCode(hold.rpcCode().name());
    }
    return message.build();
  }
}
