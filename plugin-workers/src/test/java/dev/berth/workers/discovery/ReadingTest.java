package dev.berth.workers.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.BoolValue;
import dev.berth.proto.csi.ControllerGetCapabilitiesResponse;
import dev.berth.proto.csi.ControllerServiceCapability;
import dev.berth.proto.csi.GetPluginCapabilitiesResponse;
import dev.berth.proto.csi.GetPluginInfoResponse;
import dev.berth.proto.csi.NodeGetCapabilitiesResponse;
import dev.berth.proto.csi.NodeGetInfoResponse;
import dev.berth.proto.csi.ProbeResponse;
import dev.berth.records.PluginRole;
import dev.berth.workers.discovery.Finding.ControllerAbilities;
import dev.berth.workers.discovery.Finding.NodeAbilities;
import io.grpc.Status;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReadingTest {

  @Test
  void aPluginThatSaysNothingOfReadinessIsReady() {
    assertThat(Reading.problem(ProbeResponse.getDefaultInstance())).isEmpty();
    assertThat(Reading.problem(probe(true))).isEmpty();
  }

  @Test
  void aPluginThatIsNotReadyIsUnwell() {
    assertThat(Reading.problem(probe(false)))
        .contains("the plugin says that it is not ready yet (Probe)");
  }

  @Test
  void aPluginNeedsAName() {
    assertThat(Reading.problem(GetPluginInfoResponse.getDefaultInstance()))
        .contains("GetPluginInfo gives no name, which csi.v1 requires");
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

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(
            Status.UNIMPLEMENTED.withDescription("unknown service csi.v1.Identity"),
            "Probe is not implemented by whatever listens at unix:///a: is it this service of a"
                + " CSI plugin? (unknown service csi.v1.Identity)"),
        Arguments.of(
            Status.UNAVAILABLE
                .withDescription("io exception")
                .withCause(new java.io.IOException("Connection refused")),
            "Probe: the plugin at unix:///a cannot be reached (io exception: Connection refused)"),
        Arguments.of(
            Status.INTERNAL.withDescription("First received frame was not SETTINGS."),
            "Probe: whatever listens at unix:///a does not speak gRPC: is it a CSI plugin, without"
                + " TLS? (First received frame was not SETTINGS.)"),
        Arguments.of(
            Status.CANCELLED.withDescription("Failed to read message."),
            "Probe: the plugin at unix:///a gave an answer that nobody can read (Failed to read"
                + " message.)"),
        Arguments.of(
            Status.DEADLINE_EXCEEDED.withDescription("deadline exceeded after 9.9 s"),
            "Probe: the plugin at unix:///a gave no answer within 10 s"),
        Arguments.of(
            Status.FAILED_PRECONDITION.withDescription("no credentials"),
            "Probe failed with FAILED_PRECONDITION (no credentials)"),
        Arguments.of(Status.INTERNAL, "Probe failed with INTERNAL (INTERNAL)"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailureIsSaidInWords(Status status, String text) {
    assertThat(Reading.problem("Probe", "unix:///a", status, Duration.ofSeconds(10)))
        .isEqualTo(text);
  }

  private static ProbeResponse probe(boolean ready) {
    return ProbeResponse.newBuilder().setReady(BoolValue.of(ready)).build();
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
