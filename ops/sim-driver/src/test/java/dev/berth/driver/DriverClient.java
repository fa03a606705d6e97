package dev.berth.driver;

import dev.berth.proto.csi.ControllerGrpc;
import dev.berth.proto.csi.ControllerPublishVolumeRequest;
import dev.berth.proto.csi.ControllerUnpublishVolumeRequest;
import dev.berth.proto.csi.IdentityGrpc;
import dev.berth.proto.csi.NodeGrpc;
import dev.berth.proto.csi.NodePublishVolumeRequest;
import dev.berth.proto.csi.NodeStageVolumeRequest;
import dev.berth.proto.csi.NodeUnpublishVolumeRequest;
import dev.berth.proto.csi.NodeUnstageVolumeRequest;
import dev.berth.proto.csi.VolumeCapability;
import dev.berth.proto.csi.VolumeCapability.AccessMode.Mode;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.function.Supplier;

/** A plain CSI client. Waits at most ten seconds for an answer unless told otherwise. */
final class DriverClient implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ManagedChannel channel;

  DriverClient(SimulatedDriver driver) {
    this(driver.endpoint());
  }

  DriverClient(String endpoint) {
    channel = Grpc.newChannelBuilder(endpoint, InsecureChannelCredentials.create()).build();
  }

  IdentityGrpc.IdentityBlockingStub identity() {
    return IdentityGrpc.newBlockingStub(channel).withDeadlineAfter(PATIENCE);
  }

  ControllerGrpc.ControllerBlockingStub controller() {
    return controller(PATIENCE);
  }

  ControllerGrpc.ControllerBlockingStub controller(Duration patience) {
    return ControllerGrpc.newBlockingStub(channel).withDeadlineAfter(patience);
  }

  /** For calls that are to stay open: no deadline. */
  ControllerGrpc.ControllerFutureStub controllerInBackground() {
    return ControllerGrpc.newFutureStub(channel);
  }

  NodeGrpc.NodeBlockingStub node() {
    return NodeGrpc.newBlockingStub(channel).withDeadlineAfter(PATIENCE);
  }

  /** The code and text that a call fails with. */
  static String refusal(Supplier<?> call) {
    try {
      return "OK " + call.get();
    } catch (StatusRuntimeException e) {
      Status status = e.getStatus();
      return status.getCode() + ": " + status.getDescription();
    }
  }

  /** The code that a call ends with. */
  static Status.Code code(Supplier<?> call) {
    try {
      Object unused = call.get();
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  static ControllerPublishVolumeRequest attach(String volume, String node) {
    return attach(volume, node, Mode.SINGLE_NODE_WRITER, false);
  }

  static ControllerPublishVolumeRequest attach(
      String volume, String node, Mode mode, boolean readonly) {
    return ControllerPublishVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .setNodeId(node)
        .setVolumeCapability(mount(mode))
        .setReadonly(readonly)
        .build();
  }

  static ControllerUnpublishVolumeRequest detach(String volume, String node) {
    return ControllerUnpublishVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .setNodeId(node)
        .build();
  }

  static NodeStageVolumeRequest stage(String volume) {
    return NodeStageVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .setStagingTargetPath("/stage/" + volume)
        .setVolumeCapability(mount(Mode.SINGLE_NODE_WRITER))
        .build();
  }

  static NodeUnstageVolumeRequest unstage(String volume) {
    return NodeUnstageVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .setStagingTargetPath("/stage/" + volume)
        .build();
  }

  static NodePublishVolumeRequest publish(String volume, String target) {
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .setStagingTargetPath("/stage/" + volume)
        .setTargetPath(target)
        .setVolumeCapability(mount(Mode.SINGLE_NODE_WRITER))
        .build();
  }

  static NodeUnpublishVolumeRequest unpublish(String volume, String target) {
    return NodeUnpublishVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .setTargetPath(target)
        .build();
  }

  static VolumeCapability mount(Mode mode) {
    return VolumeCapability.newBuilder()
        .setMount(VolumeCapability.MountVolume.getDefaultInstance())
        .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(mode))
        .build();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
