package dev.berth.proto;

import static dev.berth.proto.HandBuiltMessage.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.BoolValue;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.ProtocolMessageEnum;
import dev.berth.proto.csi.ControllerGetCapabilitiesRequest;
import dev.berth.proto.csi.ControllerGetCapabilitiesResponse;
import dev.berth.proto.csi.ControllerGrpc;
import dev.berth.proto.csi.ControllerPublishVolumeRequest;
import dev.berth.proto.csi.ControllerPublishVolumeResponse;
import dev.berth.proto.csi.ControllerServiceCapability;
import dev.berth.proto.csi.ControllerUnpublishVolumeRequest;
import dev.berth.proto.csi.ControllerUnpublishVolumeResponse;
import dev.berth.proto.csi.GetPluginCapabilitiesRequest;
import dev.berth.proto.csi.GetPluginCapabilitiesResponse;
import dev.berth.proto.csi.GetPluginInfoRequest;
import dev.berth.proto.csi.GetPluginInfoResponse;
import dev.berth.proto.csi.IdentityGrpc;
import dev.berth.proto.csi.ListVolumesRequest;
import dev.berth.proto.csi.ListVolumesResponse;
import dev.berth.proto.csi.NodeGetCapabilitiesRequest;
import dev.berth.proto.csi.NodeGetCapabilitiesResponse;
import dev.berth.proto.csi.NodeGetInfoRequest;
import dev.berth.proto.csi.NodeGetInfoResponse;
import dev.berth.proto.csi.NodeGrpc;
import dev.berth.proto.csi.NodePublishVolumeRequest;
import dev.berth.proto.csi.NodePublishVolumeResponse;
import dev.berth.proto.csi.NodeServiceCapability;
import dev.berth.proto.csi.NodeStageVolumeRequest;
import dev.berth.proto.csi.NodeStageVolumeResponse;
import dev.berth.proto.csi.NodeUnpublishVolumeRequest;
import dev.berth.proto.csi.NodeUnpublishVolumeResponse;
import dev.berth.proto.csi.NodeUnstageVolumeRequest;
import dev.berth.proto.csi.NodeUnstageVolumeResponse;
import dev.berth.proto.csi.PluginCapability;
import dev.berth.proto.csi.ProbeRequest;
import dev.berth.proto.csi.ProbeResponse;
import dev.berth.proto.csi.Topology;
import dev.berth.proto.csi.Volume;
import dev.berth.proto.csi.VolumeCapability;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds our csi.v1 to the field and enum numbers of the official definition. */
class CsiWireCompatibilityTest {

  // The official message: access mode SINGLE_NODE_WRITER (1) in field 3, mount in field 2.
  private static final HandBuiltMessage MOUNT_WIRE =
      message()
          .nested(2, message().text(1, "ext4").text(2, "noatime", "ro").text(3, "1000"))
          .nested(3, message().varint(1, 1));

  private static final VolumeCapability MOUNT =
      VolumeCapability.newBuilder()
          .setMount(
              VolumeCapability.MountVolume.newBuilder()
                  .setFsType("ext4")
                  .addMountFlags("noatime")
                  .addMountFlags("ro")
                  .setVolumeMountGroup("1000"))
          .setAccessMode(
              VolumeCapability.AccessMode.newBuilder()
                  .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
          .build();

  private static final HandBuiltMessage BLOCK_WIRE =
      message().nested(1, message()).nested(3, message().varint(1, 5));

  private static final VolumeCapability BLOCK =
      VolumeCapability.newBuilder()
          .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
          .setAccessMode(
              VolumeCapability.AccessMode.newBuilder()
                  .setMode(VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER))
          .build();

  static Stream<Arguments> messages() {
    return Stream.of(identityMessages(), controllerMessages(), nodeMessages()).flatMap(s -> s);
  }

  private static Stream<Arguments> identityMessages() {
    return Stream.of(
        arguments(message(), GetPluginInfoRequest.getDefaultInstance()),
        arguments(
            message().text(1, "ebs.example.com").text(2, "1.2.3").entry(3, "commit", "abc"),
            GetPluginInfoResponse.newBuilder()
                .setName("ebs.example.com")
                .setVendorVersion("1.2.3")
                .putManifest("commit", "abc")
                .build()),
        arguments(message(), GetPluginCapabilitiesRequest.getDefaultInstance()),
        arguments(
            message()
                .nested(1, message().nested(1, message().varint(1, 1)))
                .nested(1, message().nested(1, message().varint(1, 2))),
            GetPluginCapabilitiesResponse.newBuilder()
                .addCapabilities(pluginCapability(PluginCapability.Service.Type.CONTROLLER_SERVICE))
                .addCapabilities(
                    pluginCapability(
                        PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS))
                .build()),
        arguments(message(), ProbeRequest.getDefaultInstance()),
        arguments(
            message().nested(1, message().varint(1, 1)),
            ProbeResponse.newBuilder().setReady(BoolValue.of(true)).build()));
  }

  private static Stream<Arguments> controllerMessages() {
    return Stream.of(
        arguments(
            message()
                .text(1, "vol-1")
                .text(2, "i-1")
                .nested(3, MOUNT_WIRE)
                .varint(4, 1)
                .entry(5, "token", "s3cret")
                .entry(6, "pool", "fast"),
            ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setNodeId("i-1")
                .setVolumeCapability(MOUNT)
                .setReadonly(true)
                .putSecrets("token", "s3cret")
                .putVolumeContext("pool", "fast")
                .build()),
        arguments(
            message().entry(1, "device", "/dev/xvdba"),
            ControllerPublishVolumeResponse.newBuilder()
                .putPublishContext("device", "/dev/xvdba")
                .build()),
        arguments(
            message().text(1, "vol-1").text(2, "i-1").entry(3, "token", "s3cret"),
            ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setNodeId("i-1")
                .putSecrets("token", "s3cret")
                .build()),
        arguments(message(), ControllerUnpublishVolumeResponse.getDefaultInstance()),
        arguments(
            message().varint(1, 50).text(2, "page-2"),
            ListVolumesRequest.newBuilder().setMaxEntries(50).setStartingToken("page-2").build()),
        arguments(
            message()
                .nested(
                    1,
                    message()
                        .nested(
                            1,
                            message()
                                .varint(1, 1L << 40)
                                .text(2, "vol-1")
                                .entry(3, "pool", "fast")
                                .nested(5, message().entry(1, "zone", "z1")))
                        .nested(2, message().text(1, "i-1", "i-2")))
                .text(2, "page-3"),
            ListVolumesResponse.newBuilder()
                .addEntries(
                    ListVolumesResponse.Entry.newBuilder()
                        .setVolume(
                            Volume.newBuilder()
                                .setCapacityBytes(1L << 40)
                                .setVolumeId("vol-1")
                                .putVolumeContext("pool", "fast")
                                .addAccessibleTopology(
                                    Topology.newBuilder().putSegments("zone", "z1")))
                        .setStatus(
                            ListVolumesResponse.VolumeStatus.newBuilder()
                                .addPublishedNodeIds("i-1")
                                .addPublishedNodeIds("i-2")))
                .setNextToken("page-3")
                .build()),
        arguments(message(), ControllerGetCapabilitiesRequest.getDefaultInstance()),
        arguments(
            message()
                .nested(1, message().nested(1, message().varint(1, 2)))
                .nested(1, message().nested(1, message().varint(1, 10))),
            ControllerGetCapabilitiesResponse.newBuilder()
                .addCapabilities(
                    controllerCapability(
                        ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME))
                .addCapabilities(
                    controllerCapability(
                        ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES))
                .build()));
  }

  private static Stream<Arguments> nodeMessages() {
    return Stream.of(
        arguments(
            message()
                .text(1, "vol-1")
                .entry(2, "device", "/dev/xvdba")
                .text(3, "/stage/vol-1")
                .nested(4, BLOCK_WIRE)
                .entry(5, "token", "s3cret")
                .entry(6, "pool", "fast"),
            NodeStageVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .putPublishContext("device", "/dev/xvdba")
                .setStagingTargetPath("/stage/vol-1")
                .setVolumeCapability(BLOCK)
                .putSecrets("token", "s3cret")
                .putVolumeContext("pool", "fast")
                .build()),
        arguments(message(), NodeStageVolumeResponse.getDefaultInstance()),
        arguments(
            message().text(1, "vol-1").text(2, "/stage/vol-1"),
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setStagingTargetPath("/stage/vol-1")
                .build()),
        arguments(message(), NodeUnstageVolumeResponse.getDefaultInstance()),
        arguments(
            message()
                .text(1, "vol-1")
                .entry(2, "device", "/dev/xvdba")
                .text(3, "/stage/vol-1")
                .text(4, "/mnt/alloc-1")
                .nested(5, MOUNT_WIRE)
                .varint(6, 1)
                .entry(7, "token", "s3cret")
                .entry(8, "pool", "fast"),
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .putPublishContext("device", "/dev/xvdba")
                .setStagingTargetPath("/stage/vol-1")
                .setTargetPath("/mnt/alloc-1")
                .setVolumeCapability(MOUNT)
                .setReadonly(true)
                .putSecrets("token", "s3cret")
                .putVolumeContext("pool", "fast")
                .build()),
        arguments(message(), NodePublishVolumeResponse.getDefaultInstance()),
        arguments(
            message().text(1, "vol-1").text(2, "/mnt/alloc-1"),
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setTargetPath("/mnt/alloc-1")
                .build()),
        arguments(message(), NodeUnpublishVolumeResponse.getDefaultInstance()),
        arguments(message(), NodeGetCapabilitiesRequest.getDefaultInstance()),
        arguments(
            message().nested(1, message().nested(1, message().varint(1, 1))),
            NodeGetCapabilitiesResponse.newBuilder()
                .addCapabilities(
                    NodeServiceCapability.newBuilder()
                        .setRpc(
                            NodeServiceCapability.RPC
                                .newBuilder()
                                .setType(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME)))
                .build()),
        arguments(message(), NodeGetInfoRequest.getDefaultInstance()),
        arguments(
            message().text(1, "i-1").varint(2, 25).nested(3, message().entry(1, "zone", "z1")),
            NodeGetInfoResponse.newBuilder()
                .setNodeId("i-1")
                .setMaxVolumesPerNode(25)
                .setAccessibleTopology(Topology.newBuilder().putSegments("zone", "z1"))
                .build()));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void decodesTheOfficialWireForm(HandBuiltMessage wire, Message expected) throws Exception {
    assertThat(expected.getParserForType().parseFrom(wire.bytes())).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void encodesTheOfficialWireForm(HandBuiltMessage wire, Message message) {
    assertThat(message.toByteString()).isEqualTo(wire.bytes());
  }

  @Test
  void everyMessageOfEveryRpcIsCovered() {
    assertThat(messages().map(test -> ((Message) test.get()[1]).getDescriptorForType().getName()))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(
                    IdentityGrpc.getServiceDescriptor(),
                    ControllerGrpc.getServiceDescriptor(),
                    NodeGrpc.getServiceDescriptor())
                .flatMap(service -> service.getMethods().stream())
                .map(MethodDescriptor::getBareMethodName)
                .flatMap(rpc -> Stream.of(rpc + "Request", rpc + "Response"))
                .toList());
  }

  @Test
  void fieldsOfNewerPluginsSurvive() throws Exception {
    HandBuiltMessage newer =
        message().text(1, "i-1").varint(2, 3).text(900, "of a later specification");

    assertThat(NodeGetInfoResponse.parseFrom(newer.bytes()).toByteString())
        .isEqualTo(newer.bytes());
  }

  @Test
  void capabilitiesThatBerthDoesNotKnowAreUnrecognizedAndSurvive() throws Exception {
    HandBuiltMessage createDeleteVolume =
        message().nested(1, message().nested(1, message().varint(1, 1)));

    ControllerGetCapabilitiesResponse decoded =
        ControllerGetCapabilitiesResponse.parseFrom(createDeleteVolume.bytes());

    assertThat(decoded.getCapabilities(0).getRpc().getType())
        .isEqualTo(ControllerServiceCapability.RPC.Type.UNRECOGNIZED);
    assertThat(decoded.toByteString()).isEqualTo(createDeleteVolume.bytes());
  }

  @Test
  void rpcNamesAreTheOfficialOnes() {
    assertThat(names(IdentityGrpc.getServiceDescriptor()))
        .containsExactlyInAnyOrder(
            "csi.v1.Identity/GetPluginInfo",
            "csi.v1.Identity/GetPluginCapabilities",
            "csi.v1.Identity/Probe");
    assertThat(names(ControllerGrpc.getServiceDescriptor()))
        .containsExactlyInAnyOrder(
            "csi.v1.Controller/ControllerPublishVolume",
            "csi.v1.Controller/ControllerUnpublishVolume",
            "csi.v1.Controller/ListVolumes",
            "csi.v1.Controller/ControllerGetCapabilities");
    assertThat(names(NodeGrpc.getServiceDescriptor()))
        .containsExactlyInAnyOrder(
            "csi.v1.Node/NodeStageVolume",
            "csi.v1.Node/NodeUnstageVolume",
            "csi.v1.Node/NodePublishVolume",
            "csi.v1.Node/NodeUnpublishVolume",
            "csi.v1.Node/NodeGetCapabilities",
            "csi.v1.Node/NodeGetInfo");
  }

  @Test
  void enumNumbersAreTheOfficialOnes() {
    assertThat(numbers(VolumeCapability.AccessMode.Mode.values()))
        .isEqualTo(
            Map.of(
                "UNKNOWN", 0,
                "SINGLE_NODE_WRITER", 1,
                "SINGLE_NODE_READER_ONLY", 2,
                "MULTI_NODE_READER_ONLY", 3,
                "MULTI_NODE_SINGLE_WRITER", 4,
                "MULTI_NODE_MULTI_WRITER", 5,
                "SINGLE_NODE_SINGLE_WRITER", 6,
                "SINGLE_NODE_MULTI_WRITER", 7));
    assertThat(numbers(PluginCapability.Service.Type.values()))
        .isEqualTo(
            Map.of("UNKNOWN", 0, "CONTROLLER_SERVICE", 1, "VOLUME_ACCESSIBILITY_CONSTRAINTS", 2));
    assertThat(numbers(ControllerServiceCapability.RPC.Type.values()))
        .isEqualTo(
            Map.of(
                "UNKNOWN", 0,
                "PUBLISH_UNPUBLISH_VOLUME", 2,
                "LIST_VOLUMES", 3,
                "PUBLISH_READONLY", 8,
                "LIST_VOLUMES_PUBLISHED_NODES", 10,
                "SINGLE_NODE_MULTI_WRITER", 13));
    assertThat(numbers(NodeServiceCapability.RPC.Type.values()))
        .isEqualTo(Map.of("UNKNOWN", 0, "STAGE_UNSTAGE_VOLUME", 1, "SINGLE_NODE_MULTI_WRITER", 5));
  }

  private static PluginCapability pluginCapability(PluginCapability.Service.Type type) {
    return PluginCapability.newBuilder()
        .setService(PluginCapability.Service.newBuilder().setType(type))
        .build();
  }

  private static ControllerServiceCapability controllerCapability(
      ControllerServiceCapability.RPC.Type type) {
    return ControllerServiceCapability.newBuilder()
        .setRpc(ControllerServiceCapability.RPC.newBuilder().setType(type))
        .build();
  }

  private static Stream<String> names(ServiceDescriptor service) {
    return service.getMethods().stream().map(MethodDescriptor::getFullMethodName);
  }

  private static Map<String, Integer> numbers(ProtocolMessageEnum[] values) {
    return Arrays.stream(values)
        .filter(value -> !value.toString().equals("UNRECOGNIZED"))
        .map(ProtocolMessageEnum::getValueDescriptor)
        .collect(
            Collectors.toMap(
                EnumValueDescriptor::getName,
                EnumValueDescriptor::getNumber,
                (first, second) -> first,
                TreeMap::new));
  }
}
