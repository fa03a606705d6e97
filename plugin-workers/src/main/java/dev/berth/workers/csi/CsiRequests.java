package dev.berth.workers.csi;

import dev.berth.proto.csi.ControllerGrpc;
import dev.berth.proto.csi.ControllerPublishVolumeRequest;
import dev.berth.proto.csi.ControllerPublishVolumeResponse;
import dev.berth.proto.csi.ControllerUnpublishVolumeRequest;
import dev.berth.proto.csi.NodeGrpc;
import dev.berth.proto.csi.NodePublishVolumeRequest;
import dev.berth.proto.csi.NodeStageVolumeRequest;
import dev.berth.proto.csi.NodeUnpublishVolumeRequest;
import dev.berth.proto.csi.NodeUnstageVolumeRequest;
import dev.berth.proto.csi.VolumeCapability;
import dev.berth.proto.csi.VolumeCapability.AccessMode.Mode;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Call;
import dev.berth.workers.call.CallCheck;
import dev.berth.workers.secrets.SecretResolution.Resolved;

/** Makes csi.v1 requests of calls: everything is carried exactly as the call says. */
final class CsiRequests {

  private CsiRequests() {}

  /** Returns the request of a call that {@link CallCheck} does not refuse. */
  static PreparedCall<?, ?> prepare(Call call, Resolved resolved, MountPaths paths) {
    return switch (call.getRpc()) {
      case CONTROLLER_PUBLISH ->
          new PreparedCall<>(
              ControllerGrpc.getControllerPublishVolumeMethod(),
              controllerPublish(call, resolved),
              ControllerPublishVolumeResponse::getPublishContextMap);
      case CONTROLLER_UNPUBLISH ->
          PreparedCall.of(
              ControllerGrpc.getControllerUnpublishVolumeMethod(),
              controllerUnpublish(call, resolved));
      case NODE_STAGE ->
          PreparedCall.of(NodeGrpc.getNodeStageVolumeMethod(), nodeStage(call, resolved, paths));
      case NODE_PUBLISH ->
          PreparedCall.of(
              NodeGrpc.getNodePublishVolumeMethod(), nodePublish(call, resolved, paths));
      case NODE_UNPUBLISH ->
          PreparedCall.of(NodeGrpc.getNodeUnpublishVolumeMethod(), nodeUnpublish(call, paths));
      case NODE_UNSTAGE ->
          PreparedCall.of(NodeGrpc.getNodeUnstageVolumeMethod(), nodeUnstage(call, paths));
    };
  }

  private static ControllerPublishVolumeRequest controllerPublish(Call call, Resolved resolved) {
    return ControllerPublishVolumeRequest.newBuilder()
        .setVolumeId(call.getExternalVolume())
        .setNodeId(call.getExternalNode().orElseThrow())
        .setVolumeCapability(capability(call, resolved))
        .setReadonly(call.getReadOnly())
        .putAllSecrets(resolved.secrets())
        .putAllVolumeContext(call.getContext())
        .build();
  }

  private static ControllerUnpublishVolumeRequest controllerUnpublish(
      Call call, Resolved resolved) {
    return ControllerUnpublishVolumeRequest.newBuilder()
        .setVolumeId(call.getExternalVolume())
        .setNodeId(call.getExternalNode().orElseThrow())
        .putAllSecrets(resolved.secrets())
        .build();
  }

  private static NodeStageVolumeRequest nodeStage(Call call, Resolved resolved, MountPaths paths) {
    return NodeStageVolumeRequest.newBuilder()
        .setVolumeId(call.getExternalVolume())
        .putAllPublishContext(call.getPublishContext())
        .setStagingTargetPath(paths.staging(call).toString())
        .setVolumeCapability(capability(call, resolved))
        .putAllSecrets(resolved.secrets())
        .putAllVolumeContext(call.getContext())
        .build();
  }

  private static NodePublishVolumeRequest nodePublish(
      Call call, Resolved resolved, MountPaths paths) {
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId(call.getExternalVolume())
        .putAllPublishContext(call.getPublishContext())
        .setStagingTargetPath(paths.staging(call).toString())
        .setTargetPath(paths.target(call).toString())
        .setVolumeCapability(capability(call, resolved))
        .setReadonly(call.getReadOnly())
        .putAllSecrets(resolved.secrets())
        .putAllVolumeContext(call.getContext())
        .build();
  }

  private static NodeUnpublishVolumeRequest nodeUnpublish(Call call, MountPaths paths) {
    return NodeUnpublishVolumeRequest.newBuilder()
        .setVolumeId(call.getExternalVolume())
        .setTargetPath(paths.target(call).toString())
        .build();
  }

  private static NodeUnstageVolumeRequest nodeUnstage(Call call, MountPaths paths) {
    return NodeUnstageVolumeRequest.newBuilder()
        .setVolumeId(call.getExternalVolume())
        .setStagingTargetPath(paths.staging(call).toString())
        .build();
  }

  private static VolumeCapability capability(Call call, Resolved resolved) {
    VolumeCapability.Builder capability =
        VolumeCapability.newBuilder()
            .setAccessMode(
                VolumeCapability.AccessMode.newBuilder().setMode(mode(call.getAccess())));
    if (call.getAttachment() == AttachmentMode.BLOCK_DEVICE) {
      return capability.setBlock(VolumeCapability.BlockVolume.getDefaultInstance()).build();
    }
    return capability
        .setMount(
            VolumeCapability.MountVolume.newBuilder()
                .setFsType(call.getFsType().orElse(""))
                .addAllMountFlags(resolved.mountFlags()))
        .build();
  }

  private static Mode mode(AccessMode access) {
    return switch (access) {
      case SINGLE_NODE_READER -> Mode.SINGLE_NODE_READER_ONLY;
      case SINGLE_NODE_WRITER -> Mode.SINGLE_NODE_WRITER;
      case MULTI_NODE_READER -> Mode.MULTI_NODE_READER_ONLY;
      case MULTI_NODE_SINGLE_WRITER -> Mode.MULTI_NODE_SINGLE_WRITER;
      case MULTI_NODE_MULTI_WRITER -> Mode.MULTI_NODE_MULTI_WRITER;
    };
  }
}
