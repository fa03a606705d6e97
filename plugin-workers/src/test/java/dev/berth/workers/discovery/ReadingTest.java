package dev.berth.workers.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.proto.csi.ControllerGetCapabilitiesResponse;
import dev.berth.proto.csi.ControllerServiceCapability;
import dev.berth.proto.csi.GetPluginCapabilitiesResponse;
import dev.berth.proto.csi.GetPluginInfoResponse;
import dev.berth.proto.csi.NodeGetCapabilitiesResponse;
import dev.berth.proto.csi.NodeGetInfoResponse;
import dev.berth.proto.csi.Topology;
import dev.berth.records.PluginRole;
import dev.berth.workers.discovery.Finding.ControllerAbilities;
import dev.berth.workers.discovery.Finding.NodeAbilities;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReadingTest {

  static Stream<Arguments> pluginsThatCannotBe() {
    String rule =
        "csi.v1 allows 1 to 63 letters, digits, '-' and '.', the first and the last a letter or"
            + " digit";
    return Stream.of(
        Arguments.of(info("", "1"), "GetPluginInfo gives no name, which csi.v1 requires"),
        Arguments.of(info("a/b", "1"), "GetPluginInfo gives the name 'a/b'; " + rule),
        Arguments.of(info("-a", "1"), "GetPluginInfo gives the name '-a'; " + rule),
        Arguments.of(
            info("x".repeat(64), "1"),
            "GetPluginInfo gives the name '" + "x".repeat(64) + "'; " + rule),
        Arguments.of(
            info("x".repeat(999), "1"),
            "GetPluginInfo gives the name '" + "x".repeat(128) + "…'; " + rule),
        Arguments.of(
            info("ebs", "v".repeat(129)),
            "GetPluginInfo gives a vendor_version of 129 bytes; csi.v1 allows 128"));
  }

  @ParameterizedTest
  @MethodSource("pluginsThatCannotBe")
  void aPluginThatCannotBeIsUnwell(GetPluginInfoResponse info, String text) {
    assertThat(Reading.problem(info)).contains(text);
  }

  @Test
  void aPluginMayBeCalledWhatCsiAllows() {
    assertThat(Reading.problem(info("ebs.csi.example-1.com", "v".repeat(128)))).isEmpty();
    assertThat(Reading.problem(info("x".repeat(63), ""))).isEmpty();
    assertThat(Reading.problem(info("x", ""))).isEmpty();
  }

  private static GetPluginInfoResponse info(String name, String version) {
    return GetPluginInfoResponse.newBuilder().setName(name).setVendorVersion(version).build();
  }

  @Test
  void onlyAControllerNeedsTheControllerService() {
    GetPluginCapabilitiesResponse none = GetPluginCapabilitiesResponse.getDefaultInstance();

    assertThat(Reading.problem(PluginRole.NODE, none)).isEmpty();
    assertThat(Reading.problem(PluginRole.CONTROLLER, none))
        .contains(
            "GetPluginCapabilities does not advertise CONTROLLER_SERVICE: this socket serves no"
                + " controller");
  }

  static Stream<Arguments> nodesThatCannotBe() {
    return Stream.of(
        Arguments.of(node("", 0), "NodeGetInfo gives no node_id, which csi.v1 requires"),
        Arguments.of(
            node("x".repeat(257), 0),
            "NodeGetInfo gives a node_id of 257 bytes; csi.v1 allows 256"),
        Arguments.of(
            NodeGetInfoResponse.newBuilder()
                .setNodeId("i-1")
                .setAccessibleTopology(Topology.newBuilder().putSegments("zone", "z".repeat(4_093)))
                .build(),
            "NodeGetInfo gives topology segments of 4097 bytes; csi.v1 allows 4096"),
        Arguments.of(
            node("i-1", -1),
            "NodeGetInfo gives max_volumes_per_node -1; csi.v1 allows no negative number"));
  }

  @ParameterizedTest
  @MethodSource("nodesThatCannotBe")
  void aNodeThatCannotBeIsUnwell(NodeGetInfoResponse info, String text) {
    assertThat(Reading.problem(info)).contains(text);
  }

  @Test
  void aNodeWithoutLimitHasNone() {
    assertThat(Reading.problem(node("i-1", 0))).isEmpty();
    assertThat(Reading.abilities(node("i-1", 0), NodeGetCapabilitiesResponse.getDefaultInstance()))
        .isEqualTo(new NodeAbilities(false, "i-1", Optional.empty(), Map.of()));
  }

  @Test
  void publishedNodesAreListedOnlyWhereVolumesAre() {
    assertThat(
            Reading.abilities(
                controller(ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES)))
        .isEqualTo(new ControllerAbilities(false, false, false));
    assertThat(
            Reading.abilities(
                controller(
                    ControllerServiceCapability.RPC.Type.LIST_VOLUMES,
                    ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES)))
        .isEqualTo(new ControllerAbilities(false, false, true));
    assertThat(
            Reading.abilities(
                controller(
                    ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
                    ControllerServiceCapability.RPC.Type.PUBLISH_READONLY)))
        .isEqualTo(new ControllerAbilities(true, true, false));
  }

  private static NodeGetInfoResponse node(String id, long most) {
    return NodeGetInfoResponse.newBuilder().setNodeId(id).setMaxVolumesPerNode(most).build();
  }

  private static ControllerGetCapabilitiesResponse controller(
      ControllerServiceCapability.RPC.Type... types) {
    ControllerGetCapabilitiesResponse.Builder response =
        ControllerGetCapabilitiesResponse.newBuilder();
    for (ControllerServiceCapability.RPC.Type type : types) {
      response.addCapabilities(
          ControllerServiceCapability.newBuilder()
              .setRpc(ControllerServiceCapability.RPC.newBuilder().setType(type)));
    }
    return response.build();
  }
}
