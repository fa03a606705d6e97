package dev.berth.workers.csi;

import static dev.berth.workers.WorkFixtures.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.berth.proto.csi.ControllerGrpc;
import dev.berth.proto.csi.ControllerPublishVolumeRequest;
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
import dev.berth.records.CsiCall;
import dev.berth.workers.secrets.Redaction;
import dev.berth.workers.secrets.SecretResolution.Resolved;
import io.grpc.MethodDescriptor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CsiRequestsTest {

  private static final Resolved RESOLVED =
      new Resolved(Map.of("token", "hush-4711"), List.of("noatime", "sec=x9"), Redaction.none());
  private static final MountPaths PATHS = new MountPaths(Path.of("/csi"), "ebs");

  @Test
  void controllerPublishCarriesEverything() {
    assertThat(request(full(CsiCall.CONTROLLER_PUBLISH)))
        .isEqualTo(
            ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setNodeId("i-1")
                .setVolumeCapability(mount())
                .setReadonly(true)
                .putSecrets("token", "hush-4711")
                .putVolumeContext("zone", "z1")
                .build());
  }

  @Test
  void controllerUnpublishCarriesItsIdsAndSecrets() {
    assertThat(request(full(CsiCall.CONTROLLER_UNPUBLISH)))
        .isEqualTo(
            ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setNodeId("i-1")
                .putSecrets("token", "hush-4711")
                .build());
  }

  @Test
  void nodeStageCarriesEverything() {
    assertThat(request(full(CsiCall.NODE_STAGE)))
        .isEqualTo(
            NodeStageVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .putPublishContext("device", "/dev/xvdf")
                .setStagingTargetPath("/csi/ebs/staging/default/v1")
                .setVolumeCapability(mount())
                .putSecrets("token", "hush-4711")
                .putVolumeContext("zone", "z1")
                .build());
  }

  @Test
  void nodePublishCarriesEverything() {
    assertThat(request(full(CsiCall.NODE_PUBLISH)))
        .isEqualTo(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .putPublishContext("device", "/dev/xvdf")
                .setStagingTargetPath("/csi/ebs/staging/default/v1")
                .setTargetPath("/csi/ebs/per-alloc/a1/default/v1")
                .setVolumeCapability(mount())
                .setReadonly(true)
                .putSecrets("token", "hush-4711")
                .putVolumeContext("zone", "z1")
                .build());
  }

  @Test
  void nodeUnpublishCarriesItsTarget() {
    assertThat(request(full(CsiCall.NODE_UNPUBLISH)))
        .isEqualTo(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setTargetPath("/csi/ebs/per-alloc/a1/default/v1")
                .build());
  }

  @Test
  void nodeUnstageCarriesItsStagingPath() {
    assertThat(request(full(CsiCall.NODE_UNSTAGE)))
        .isEqualTo(
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setStagingTargetPath("/csi/ebs/staging/default/v1")
                .build());
  }

  @Test
  void aBlockDeviceHasNeitherFileSystemNorFlags() {
    Call block = call().setAttachment(AttachmentMode.BLOCK_DEVICE).setFsType("ext4").build();

    assertThat(request(block))
        .isEqualTo(
            ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setNodeId("i-1")
                .setVolumeCapability(
                    VolumeCapability.newBuilder()
                        .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                        .setAccessMode(mode(Mode.SINGLE_NODE_WRITER)))
                .putSecrets("token", "hush-4711")
                .build());
  }

  static Stream<Arguments> accessModes() {
    return Stream.of(
        Arguments.of(AccessMode.SINGLE_NODE_READER, Mode.SINGLE_NODE_READER_ONLY),
        Arguments.of(AccessMode.SINGLE_NODE_WRITER, Mode.SINGLE_NODE_WRITER),
        Arguments.of(AccessMode.MULTI_NODE_READER, Mode.MULTI_NODE_READER_ONLY),
        Arguments.of(AccessMode.MULTI_NODE_SINGLE_WRITER, Mode.MULTI_NODE_SINGLE_WRITER),
        Arguments.of(AccessMode.MULTI_NODE_MULTI_WRITER, Mode.MULTI_NODE_MULTI_WRITER));
  }

  @ParameterizedTest
  @MethodSource("accessModes")
  void everyAccessModeHasItsCsiMode(AccessMode access, Mode mode) {
    ControllerPublishVolumeRequest request =
        (ControllerPublishVolumeRequest) request(call().setAccess(access).build());

    assertThat(request.getVolumeCapability().getAccessMode().getMode()).isEqualTo(mode);
  }

  static Stream<Arguments> methods() {
    return Stream.of(
        Arguments.of(CsiCall.CONTROLLER_PUBLISH, ControllerGrpc.getControllerPublishVolumeMethod()),
        Arguments.of(
            CsiCall.CONTROLLER_UNPUBLISH, ControllerGrpc.getControllerUnpublishVolumeMethod()),
        Arguments.of(CsiCall.NODE_STAGE, NodeGrpc.getNodeStageVolumeMethod()),
        Arguments.of(CsiCall.NODE_PUBLISH, NodeGrpc.getNodePublishVolumeMethod()),
        Arguments.of(CsiCall.NODE_UNPUBLISH, NodeGrpc.getNodeUnpublishVolumeMethod()),
        Arguments.of(CsiCall.NODE_UNSTAGE, NodeGrpc.getNodeUnstageVolumeMethod()));
  }

  @ParameterizedTest
  @MethodSource("methods")
  void everyCallHasItsRpc(CsiCall rpc, MethodDescriptor<?, ?> method) {
    assertThat(CsiRequests.prepare(full(rpc), RESOLVED, PATHS).method()).isEqualTo(method);
  }

  @Test
  void aPreparedCallIsPrintedWithoutItsRequest() {
    assertThat(CsiRequests.prepare(full(CsiCall.CONTROLLER_PUBLISH), RESOLVED, PATHS).toString())
        .isEqualTo("PreparedCall[ControllerPublishVolume]");
  }

  private static Message request(Call call) {
    return CsiRequests.prepare(call, RESOLVED, PATHS).request();
  }

  private static Call full(CsiCall rpc) {
    return call(rpc)
        .setReadOnly(true)
        .setFsType("ext4")
        .setContext(Map.of("zone", "z1"))
        .setPublishContext(Map.of("device", "/dev/xvdf"))
        .setSecrets(Map.of("token", "${kv:vol-1}"))
        .setMountFlags(List.of("noatime", "${env:FLAGS}"))
        .build();
  }

  private static VolumeCapability mount() {
    return VolumeCapability.newBuilder()
        .setMount(
            VolumeCapability.MountVolume.newBuilder()
                .setFsType("ext4")
                .addMountFlags("noatime")
                .addMountFlags("sec=x9"))
        .setAccessMode(mode(Mode.SINGLE_NODE_WRITER))
        .build();
  }

  private static VolumeCapability.AccessMode mode(Mode mode) {
    return VolumeCapability.AccessMode.newBuilder().setMode(mode).build();
  }
}
