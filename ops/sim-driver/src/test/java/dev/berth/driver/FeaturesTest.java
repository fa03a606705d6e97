package dev.berth.driver;

import static dev.berth.driver.DriverClient.attach;
import static dev.berth.driver.DriverClient.code;
import static dev.berth.driver.DriverClient.detach;
import static dev.berth.driver.DriverClient.publish;
import static dev.berth.driver.DriverClient.refusal;
import static dev.berth.driver.DriverClient.stage;
import static dev.berth.driver.DriverClient.unstage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.DriverSpec.Role;
import dev.berth.proto.csi.ControllerGetCapabilitiesRequest;
import dev.berth.proto.csi.GetPluginCapabilitiesRequest;
import dev.berth.proto.csi.GetPluginCapabilitiesResponse;
import dev.berth.proto.csi.ListVolumesRequest;
import dev.berth.proto.csi.ListVolumesResponse;
import dev.berth.proto.csi.NodeGetCapabilitiesRequest;
import dev.berth.proto.csi.NodeGetCapabilitiesResponse;
import dev.berth.proto.csi.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a plugin cannot do is neither advertised nor done. */
class FeaturesTest {

  @TempDir private Path directory;

  private DriverFixture start(PluginFeatures features) throws IOException {
    return DriverFixture.start(DriverFixture.monolith().withFeatures(features), directory);
  }

  @Test
  void pluginWithoutControllerServesOnlyTheNode() throws IOException {
    DriverSpec spec =
        DriverSpec.node(DriverFixture.PLUGIN, "i-1").withFeatures(PluginFeatures.nodeOnly());
    try (DriverFixture fixture = DriverFixture.start(spec, directory)) {
      DriverClient client = fixture.client;

      assertThat(
              client
                  .identity()
                  .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance()))
          .isEqualTo(GetPluginCapabilitiesResponse.getDefaultInstance());
      assertThat(code(() -> client.controller().controllerPublishVolume(attach("s1", "i-1"))))
          .isEqualTo(Status.Code.UNIMPLEMENTED);
      assertThat(code(() -> client.node().nodeStageVolume(stage("s1")))).isEqualTo(Status.Code.OK);
    }
  }

  @Test
  void controllerThatCannotAttachSaysSo() throws IOException {
    try (DriverFixture fixture = start(PluginFeatures.withoutAttach())) {
      DriverClient client = fixture.client;

      assertThat(
              client
                  .controller()
                  .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                  .getCapabilitiesList())
          .extracting(capability -> capability.getRpc().getType().name())
          .containsExactly("LIST_VOLUMES");
      assertThat(refusal(() -> client.controller().controllerPublishVolume(attach("s1", "i-1"))))
          .isEqualTo("UNIMPLEMENTED: plugin ebs.example.com cannot attach");
      assertThat(refusal(() -> client.controller().controllerUnpublishVolume(detach("s1", "i-1"))))
          .isEqualTo("UNIMPLEMENTED: plugin ebs.example.com cannot detach");
    }
  }

  @Test
  void listWithoutPublishedNodesHasNoStatus() throws IOException {
    try (DriverFixture fixture = start(PluginFeatures.all().withListPublished(false))) {
      fixture.client.controller().controllerPublishVolume(attach("s1", "i-1"));

      assertThat(
              fixture
                  .client
                  .controller()
                  .listVolumes(ListVolumesRequest.getDefaultInstance())
                  .getEntriesList())
          .extracting(ListVolumesResponse.Entry::hasStatus)
          .containsExactly(false, false, false, false);
    }
  }

  @Test
  void readonlyNeedsItsCapability() throws IOException {
    try (DriverFixture fixture = start(PluginFeatures.all().withPublishReadonly(false))) {
      assertThat(
              refusal(
                  () ->
                      fixture
                          .client
                          .controller()
                          .controllerPublishVolume(
                              attach("s1", "i-1", Mode.SINGLE_NODE_WRITER, true))))
          .isEqualTo("INVALID_ARGUMENT: readonly is true, but PUBLISH_READONLY is not advertised");
    }
  }

  @Test
  void pluginThatDoesNotStagePublishesWithoutIt() throws IOException {
    try (DriverFixture fixture = start(PluginFeatures.all().withStage(false))) {
      DriverClient client = fixture.client;

      assertThat(client.node().nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance()))
          .isEqualTo(NodeGetCapabilitiesResponse.getDefaultInstance());
      assertThat(refusal(() -> client.node().nodeStageVolume(stage("s1"))))
          .isEqualTo("UNIMPLEMENTED: plugin ebs.example.com does not stage");
      assertThat(code(() -> client.node().nodeUnstageVolume(unstage("s1"))))
          .isEqualTo(Status.Code.UNIMPLEMENTED);
      assertThat(refusal(() -> client.node().nodePublishVolume(publish("s1", "/mnt/a"))))
          .isEqualTo("INTERNAL: volume s1 is not attached to node i-1");
      client.controller().controllerPublishVolume(attach("s1", "i-1"));
      assertThat(code(() -> client.node().nodePublishVolume(publish("s1", "/mnt/a"))))
          .isEqualTo(Status.Code.OK);
    }
  }

  @Test
  void alphaModesNeedTheirCapability() throws IOException {
    try (DriverFixture fixture = start(PluginFeatures.all().withSingleNodeMultiWriter(true))) {
      assertThat(
              code(
                  () ->
                      fixture
                          .client
                          .controller()
                          .controllerPublishVolume(
                              attach("s1", "i-1", Mode.SINGLE_NODE_MULTI_WRITER, false))))
          .isEqualTo(Status.Code.OK);
    }
  }

  @Test
  void contradictionsAreRefusedWithARemedy() {
    assertThatThrownBy(() -> new PluginFeatures(false, true, false, false, false, true, false))
        .hasMessage("attach=true needs controller=true: set both, or neither");
    assertThatThrownBy(() -> DriverSpec.controller("p").withFeatures(PluginFeatures.nodeOnly()))
        .hasMessage("role controller of plugin p: its features say that it has none");
    assertThatThrownBy(() -> DriverSpec.controller("p").withRoles(Set.of(Role.NODE)))
        .hasMessage("node-id '' of plugin p: give one exactly if the role is node");
    assertThatThrownBy(() -> DriverSpec.node("p", "i-1").withMaxVolumes(-1))
        .hasMessage("max-volumes -1 of plugin p: use 0 for no limit");
    assertThatThrownBy(() -> DriverSpec.controller("p".repeat(64)))
        .hasMessage("plugin '%s': a name has 1 to 63 characters".formatted("p".repeat(64)));
  }
}
