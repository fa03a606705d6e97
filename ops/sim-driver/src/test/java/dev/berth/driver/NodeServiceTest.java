package dev.berth.driver;

import static dev.berth.driver.DriverClient.attach;
import static dev.berth.driver.DriverClient.code;
import static dev.berth.driver.DriverClient.detach;
import static dev.berth.driver.DriverClient.mount;
import static dev.berth.driver.DriverClient.publish;
import static dev.berth.driver.DriverClient.refusal;
import static dev.berth.driver.DriverClient.stage;
import static dev.berth.driver.DriverClient.unpublish;
import static dev.berth.driver.DriverClient.unstage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.provider.Mount;
import dev.berth.driver.provider.Usage;
import dev.berth.proto.csi.NodeGetCapabilitiesRequest;
import dev.berth.proto.csi.NodeGetInfoRequest;
import dev.berth.proto.csi.NodeGetInfoResponse;
import dev.berth.proto.csi.NodePublishVolumeRequest;
import dev.berth.proto.csi.NodeServiceCapability.RPC;
import dev.berth.proto.csi.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conditions and codes of the node service in the CSI specification, over a real socket. */
class NodeServiceTest {

  private static final Usage WRITER = new Usage(Mode.SINGLE_NODE_WRITER, false, false);

  @TempDir private Path directory;
  private DriverFixture fixture;
  private DriverClient client;

  @BeforeEach
  void start() throws IOException {
    fixture = DriverFixture.start(DriverFixture.monolith().withMaxVolumes(25), directory);
    client = fixture.client;
    client.controller().controllerPublishVolume(attach("s1", "i-1"));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void stageAndPublishAreRemembered() {
    client.node().nodeStageVolume(stage("s1"));
    client.node().nodePublishVolume(publish("s1", "/mnt/a"));

    assertThat(fixture.provider.snapshot().mounts())
        .containsExactly(
            new Mount(
                "s1",
                "i-1",
                Optional.of(new Mount.Staged("/stage/s1", WRITER)),
                Map.of("/mnt/a", WRITER)));
  }

  @Test
  void everyStepMayBeRepeated() {
    client.node().nodeStageVolume(stage("s1"));
    client.node().nodeStageVolume(stage("s1"));
    client.node().nodePublishVolume(publish("s1", "/mnt/a"));
    client.node().nodePublishVolume(publish("s1", "/mnt/a"));
    client.node().nodeUnpublishVolume(unpublish("s1", "/mnt/a"));
    client.node().nodeUnpublishVolume(unpublish("s1", "/mnt/a"));
    client.node().nodeUnstageVolume(unstage("s1"));
    client.node().nodeUnstageVolume(unstage("s1"));

    assertThat(fixture.provider.snapshot().mounts()).isEmpty();
  }

  @Test
  void publishBeforeStageIsAFailedPrecondition() {
    assertThat(refusal(() -> client.node().nodePublishVolume(publish("s1", "/mnt/a"))))
        .isEqualTo("FAILED_PRECONDITION: volume s1 is not staged at '/stage/s1'");
  }

  @Test
  void publishWithoutAStagingPathIsAFailedPrecondition() {
    client.node().nodeStageVolume(stage("s1"));
    NodePublishVolumeRequest request =
        publish("s1", "/mnt/a").toBuilder().clearStagingTargetPath().build();

    assertThat(refusal(() -> client.node().nodePublishVolume(request)))
        .isEqualTo("FAILED_PRECONDITION: volume s1 is not staged at ''");
  }

  @Test
  void unstageWithAPublishLeftIsAFailedPrecondition() {
    client.node().nodeStageVolume(stage("s1"));
    client.node().nodePublishVolume(publish("s1", "/mnt/a"));

    assertThat(refusal(() -> client.node().nodeUnstageVolume(unstage("s1"))))
        .isEqualTo("FAILED_PRECONDITION: volume s1 is still published at [/mnt/a]");
  }

  @Test
  void stageOfAVolumeThatIsNotAttachedIsInternal() {
    assertThat(refusal(() -> client.node().nodeStageVolume(stage("s2"))))
        .isEqualTo("INTERNAL: volume s2 is not attached to node i-1");
  }

  @Test
  void unknownVolumeIsNotFoundForwardAndOkBackward() {
    assertThat(refusal(() -> client.node().nodeStageVolume(stage("s9"))))
        .isEqualTo("NOT_FOUND: volume s9 does not exist");
    assertThat(refusal(() -> client.node().nodePublishVolume(publish("s9", "/mnt/a"))))
        .isEqualTo("NOT_FOUND: volume s9 does not exist");
    assertThat(code(() -> client.node().nodeUnpublishVolume(unpublish("s9", "/mnt/a"))))
        .isEqualTo(Status.Code.OK);
    assertThat(code(() -> client.node().nodeUnstageVolume(unstage("s9"))))
        .isEqualTo(Status.Code.OK);
  }

  @Test
  void otherArgumentsAtTheSamePathAlreadyExist() {
    client.node().nodeStageVolume(stage("s1"));
    client.node().nodePublishVolume(publish("s1", "/mnt/a"));

    assertThat(
            refusal(
                () ->
                    client
                        .node()
                        .nodeStageVolume(
                            stage("s1").toBuilder()
                                .setVolumeCapability(mount(Mode.SINGLE_NODE_READER_ONLY))
                                .build())))
        .isEqualTo(
            "ALREADY_EXISTS: volume s1 is staged at /stage/s1 as SINGLE_NODE_WRITER mount rw");
    assertThat(
            refusal(
                () ->
                    client
                        .node()
                        .nodePublishVolume(
                            publish("s1", "/mnt/a").toBuilder().setReadonly(true).build())))
        .isEqualTo(
            "ALREADY_EXISTS: volume s1 is published at /mnt/a as SINGLE_NODE_WRITER mount rw");
  }

  @Test
  void secondTargetNeedsAModeThatAllowsIt() {
    client.node().nodeStageVolume(stage("s1"));
    client.node().nodePublishVolume(publish("s1", "/mnt/a"));

    assertThat(refusal(() -> client.node().nodePublishVolume(publish("s1", "/mnt/b"))))
        .isEqualTo(
            "FAILED_PRECONDITION: volume s1 is published at [/mnt/a] and SINGLE_NODE_WRITER"
                + " allows no second target");
  }

  @Test
  void multiNodeVolumeIsPublishedAtManyTargets() {
    Mode many = Mode.MULTI_NODE_MULTI_WRITER;
    client.controller().controllerPublishVolume(attach("m1", "i-1", many, false));
    client.node().nodeStageVolume(stage("m1").toBuilder().setVolumeCapability(mount(many)).build());
    for (String target : List.of("/mnt/a", "/mnt/b")) {
      client
          .node()
          .nodePublishVolume(
              publish("m1", target).toBuilder().setVolumeCapability(mount(many)).build());
    }

    assertThat(fixture.provider.snapshot().mounts())
        .extracting(mount -> mount.published().keySet())
        .containsExactly(Set.of("/mnt/a", "/mnt/b"));
  }

  @Test
  void modeBeyondTheVolumeIsAFailedPrecondition() {
    assertThat(
            refusal(
                () ->
                    client
                        .node()
                        .nodeStageVolume(
                            stage("s1").toBuilder()
                                .setVolumeCapability(mount(Mode.MULTI_NODE_MULTI_WRITER))
                                .build())))
        .isEqualTo(
            "FAILED_PRECONDITION: volume s1 can be used by one node only, not as"
                + " MULTI_NODE_MULTI_WRITER");
  }

  @Test
  void incompleteRequestsAreInvalidArguments() {
    assertThat(
            refusal(
                () ->
                    client.node().nodeStageVolume(stage("s1").toBuilder().clearVolumeId().build())))
        .isEqualTo("INVALID_ARGUMENT: volume_id is missing");
    assertThat(
            refusal(
                () ->
                    client
                        .node()
                        .nodeStageVolume(stage("s1").toBuilder().clearStagingTargetPath().build())))
        .isEqualTo("INVALID_ARGUMENT: staging_target_path is missing");
    assertThat(
            refusal(
                () ->
                    client
                        .node()
                        .nodeStageVolume(stage("s1").toBuilder().clearVolumeCapability().build())))
        .isEqualTo("INVALID_ARGUMENT: volume_capability is missing");
    assertThat(refusal(() -> client.node().nodePublishVolume(publish("s1", "mnt/a"))))
        .isEqualTo("INVALID_ARGUMENT: target_path 'mnt/a' is not an absolute path");
    assertThat(refusal(() -> client.node().nodeUnpublishVolume(unpublish("s1", ""))))
        .isEqualTo("INVALID_ARGUMENT: target_path is missing");
    assertThat(
            refusal(
                () ->
                    client
                        .node()
                        .nodeUnstageVolume(
                            unstage("s1").toBuilder().clearStagingTargetPath().build())))
        .isEqualTo("INVALID_ARGUMENT: staging_target_path is missing");
  }

  @Test
  void detachUnderAMountIsDoneAsCloudsDoIt() {
    client.node().nodeStageVolume(stage("s1"));

    assertThat(code(() -> client.controller().controllerUnpublishVolume(detach("s1", "i-1"))))
        .isEqualTo(Status.Code.OK);
    assertThat(fixture.provider.snapshot().mounts()).hasSize(1);
  }

  @Test
  void rebootedNodeHasItsAttachmentsAndNoMounts() {
    client.node().nodeStageVolume(stage("s1"));

    fixture.provider.rebootNode("i-1");

    assertThat(fixture.provider.snapshot().mounts()).isEmpty();
    assertThat(fixture.provider.attachments()).hasSize(1);
  }

  @Test
  void infoNamesTheNodeAndItsSlots() {
    assertThat(client.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance()))
        .isEqualTo(
            NodeGetInfoResponse.newBuilder().setNodeId("i-1").setMaxVolumesPerNode(25).build());
    assertThat(
            client
                .node()
                .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList())
        .extracting(capability -> capability.getRpc().getType())
        .containsExactly(RPC.Type.STAGE_UNSTAGE_VOLUME);
  }
}
