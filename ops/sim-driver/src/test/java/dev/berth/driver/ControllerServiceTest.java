package dev.berth.driver;

import static dev.berth.driver.DriverClient.attach;
import static dev.berth.driver.DriverClient.detach;
import static dev.berth.driver.DriverClient.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.calls.Call;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Attachment;
import dev.berth.driver.provider.Usage;
import dev.berth.proto.csi.ControllerGetCapabilitiesRequest;
import dev.berth.proto.csi.ControllerPublishVolumeRequest;
import dev.berth.proto.csi.ControllerPublishVolumeResponse;
import dev.berth.proto.csi.ControllerServiceCapability.RPC;
import dev.berth.proto.csi.ControllerUnpublishVolumeResponse;
import dev.berth.proto.csi.ListVolumesRequest;
import dev.berth.proto.csi.ListVolumesResponse;
import dev.berth.proto.csi.VolumeCapability;
import dev.berth.proto.csi.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conditions and codes of the controller service in the CSI specification, over a real socket. */
class ControllerServiceTest {

  private static final ControllerPublishVolumeResponse FIRST_DEVICE =
      ControllerPublishVolumeResponse.newBuilder()
          .putPublishContext("device", "/dev/xvdba")
          .build();

  @TempDir private Path directory;
  private DriverFixture fixture;
  private DriverClient client;

  @BeforeEach
  void start() throws IOException {
    fixture = DriverFixture.start(DriverFixture.monolith(), directory);
    client = fixture.client;
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void attachGivesTheDeviceAsContext() {
    assertThat(client.controller().controllerPublishVolume(attach("s1", "i-1")))
        .isEqualTo(FIRST_DEVICE);
    assertThat(fixture.provider.attachments())
        .containsExactly(
            new Attachment(
                "s1", "i-1", new Usage(Mode.SINGLE_NODE_WRITER, false, false), "/dev/xvdba"));
  }

  @Test
  void repeatedAttachAnswersTheSame() {
    client.controller().controllerPublishVolume(attach("s2", "i-1"));
    client.controller().controllerPublishVolume(attach("s1", "i-1"));
    client.controller().controllerUnpublishVolume(detach("s2", "i-1"));

    assertThat(client.controller().controllerPublishVolume(attach("s1", "i-1")))
        .isEqualTo(
            ControllerPublishVolumeResponse.newBuilder()
                .putPublishContext("device", "/dev/xvdbb")
                .build());
  }

  @Test
  void attachedElsewhereIsAFailedPreconditionThatNamesTheNode() {
    client.controller().controllerPublishVolume(attach("s1", "i-1"));

    assertThat(refusal(() -> client.controller().controllerPublishVolume(attach("s1", "i-2"))))
        .isEqualTo("FAILED_PRECONDITION: volume s1 is attached to node i-1");
  }

  @Test
  void multiNodeVolumeIsAttachedToManyNodes() {
    client
        .controller()
        .controllerPublishVolume(attach("m1", "i-1", Mode.MULTI_NODE_MULTI_WRITER, false));
    client
        .controller()
        .controllerPublishVolume(attach("m1", "i-2", Mode.MULTI_NODE_MULTI_WRITER, false));

    assertThat(fixture.provider.attachments())
        .extracting(Attachment::node)
        .containsExactly("i-1", "i-2");
  }

  @Test
  void multiNodeVolumeUsedAsSingleNodeStaysOnOneNode() {
    client.controller().controllerPublishVolume(attach("m1", "i-1"));

    assertThat(
            refusal(
                () ->
                    client
                        .controller()
                        .controllerPublishVolume(
                            attach("m1", "i-2", Mode.MULTI_NODE_MULTI_WRITER, false))))
        .isEqualTo("FAILED_PRECONDITION: volume m1 is attached to node i-1");
  }

  @Test
  void otherReadonlyFlagOrModeAlreadyExists() {
    client.controller().controllerPublishVolume(attach("s1", "i-1"));

    assertThat(
            refusal(
                () ->
                    client
                        .controller()
                        .controllerPublishVolume(
                            attach("s1", "i-1", Mode.SINGLE_NODE_WRITER, true))))
        .isEqualTo(
            "ALREADY_EXISTS: volume s1 is attached to node i-1 as SINGLE_NODE_WRITER mount rw,"
                + " not SINGLE_NODE_WRITER mount ro");
    assertThat(
            refusal(
                () ->
                    client
                        .controller()
                        .controllerPublishVolume(
                            attach("s1", "i-1", Mode.SINGLE_NODE_READER_ONLY, false))))
        .startsWith("ALREADY_EXISTS");
  }

  @Test
  void unknownVolumeAndUnknownNodeAreNotFound() {
    assertThat(refusal(() -> client.controller().controllerPublishVolume(attach("s9", "i-1"))))
        .isEqualTo("NOT_FOUND: volume s9 does not exist");
    assertThat(refusal(() -> client.controller().controllerPublishVolume(attach("s1", "i-9"))))
        .isEqualTo("NOT_FOUND: node i-9 does not exist");
  }

  @Test
  void fullNodeIsExhausted() {
    client.controller().controllerPublishVolume(attach("s1", "i-1"));
    client.controller().controllerPublishVolume(attach("s2", "i-1"));

    assertThat(refusal(() -> client.controller().controllerPublishVolume(attach("s3", "i-1"))))
        .isEqualTo("RESOURCE_EXHAUSTED: node i-1 has all of its 2 slots in use");
    assertThat(client.controller().controllerPublishVolume(attach("s3", "i-2")))
        .isEqualTo(FIRST_DEVICE);
  }

  @Test
  void incompleteAttachIsAnInvalidArgumentThatNamesTheField() {
    ControllerPublishVolumeRequest good = attach("s1", "i-1");
    Map<String, ControllerPublishVolumeRequest> bad = new TreeMap<>();
    bad.put("volume_id is missing", good.toBuilder().clearVolumeId().build());
    bad.put("node_id is missing", good.toBuilder().clearNodeId().build());
    bad.put("volume_capability is missing", good.toBuilder().clearVolumeCapability().build());
    bad.put(
        "volume_capability says neither mount nor block",
        good.toBuilder()
            .setVolumeCapability(
                VolumeCapability.newBuilder()
                    .setAccessMode(good.getVolumeCapability().getAccessMode()))
            .build());
    bad.put("volume_capability has no known access_mode", attach("s1", "i-1", Mode.UNKNOWN, false));
    bad.put(
        "access_mode SINGLE_NODE_MULTI_WRITER, but SINGLE_NODE_MULTI_WRITER is not advertised",
        attach("s1", "i-1", Mode.SINGLE_NODE_MULTI_WRITER, false));
    bad.put(
        "volume s1 can be used by one node only, not as MULTI_NODE_READER_ONLY",
        attach("s1", "i-1", Mode.MULTI_NODE_READER_ONLY, false));

    bad.forEach(
        (message, request) ->
            assertThat(refusal(() -> client.controller().controllerPublishVolume(request)))
                .isEqualTo("INVALID_ARGUMENT: " + message));
  }

  @Test
  void detachOfWhatIsNotAttachedIsOk() {
    assertThat(client.controller().controllerUnpublishVolume(detach("s1", "i-1")))
        .isEqualTo(ControllerUnpublishVolumeResponse.getDefaultInstance());
    assertThat(client.controller().controllerUnpublishVolume(detach("s9", "i-9")))
        .isEqualTo(ControllerUnpublishVolumeResponse.getDefaultInstance());
  }

  @Test
  void detachFreesTheVolumeForAnotherNode() {
    client.controller().controllerPublishVolume(attach("s1", "i-1"));
    client.controller().controllerUnpublishVolume(detach("s1", "i-1"));

    assertThat(client.controller().controllerPublishVolume(attach("s1", "i-2")))
        .isEqualTo(FIRST_DEVICE);
  }

  @Test
  void detachFromAnotherNodeLeavesTheAttachment() {
    client.controller().controllerPublishVolume(attach("s1", "i-1"));
    client.controller().controllerUnpublishVolume(detach("s1", "i-2"));

    assertThat(fixture.provider.attachments()).hasSize(1);
  }

  @Test
  void detachWithoutANodeHitsEveryNodeAndIsCounted() {
    client
        .controller()
        .controllerPublishVolume(attach("m1", "i-1", Mode.MULTI_NODE_MULTI_WRITER, false));
    client
        .controller()
        .controllerPublishVolume(attach("m1", "i-2", Mode.MULTI_NODE_MULTI_WRITER, false));
    assertThat(fixture.provider.detachesFromEveryNode()).isZero();

    client.controller().controllerUnpublishVolume(detach("m1", ""));

    assertThat(fixture.provider.attachments()).isEmpty();
    assertThat(fixture.provider.detachesFromEveryNode()).isEqualTo(1);
  }

  @Test
  void detachWithoutAVolumeIsAnInvalidArgument() {
    assertThat(refusal(() -> client.controller().controllerUnpublishVolume(detach("", "i-1"))))
        .isEqualTo("INVALID_ARGUMENT: volume_id is missing");
  }

  @Test
  void listComesInPagesAndNamesTheNodes() {
    client.controller().controllerPublishVolume(attach("s2", "i-1"));

    Map<String, List<String>> found = new TreeMap<>();
    List<Integer> sizes = new ArrayList<>();
    String token = "";
    do {
      ListVolumesResponse page =
          client
              .controller()
              .listVolumes(
                  ListVolumesRequest.newBuilder().setMaxEntries(3).setStartingToken(token).build());
      page.getEntriesList()
          .forEach(
              entry ->
                  found.put(
                      entry.getVolume().getVolumeId(),
                      List.copyOf(entry.getStatus().getPublishedNodeIdsList())));
      sizes.add(page.getEntriesCount());
      token = page.getNextToken();
    } while (!token.isEmpty());

    assertThat(sizes).containsExactly(3, 1);
    assertThat(found)
        .isEqualTo(Map.of("m1", List.of(), "s1", List.of(), "s2", List.of("i-1"), "s3", List.of()));
  }

  @Test
  void tokenOfAnOlderSetOfVolumesAborts() {
    String token =
        client
            .controller()
            .listVolumes(ListVolumesRequest.newBuilder().setMaxEntries(1).build())
            .getNextToken();
    fixture.provider.createVolume("s4", Access.SINGLE_NODE);

    assertThat(
            refusal(
                () ->
                    client
                        .controller()
                        .listVolumes(
                            ListVolumesRequest.newBuilder().setStartingToken(token).build())))
        .isEqualTo(
            "ABORTED: token '%s' is not valid any more; start again without one".formatted(token));
  }

  @Test
  void negativePageSizeIsAnInvalidArgument() {
    assertThat(
            refusal(
                () ->
                    client
                        .controller()
                        .listVolumes(ListVolumesRequest.newBuilder().setMaxEntries(-1).build())))
        .isEqualTo("INVALID_ARGUMENT: max_entries -1 is negative");
  }

  @Test
  void capabilitiesAreTheFeatures() {
    assertThat(
            client
                .controller()
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList())
        .extracting(capability -> capability.getRpc().getType())
        .containsExactly(
            RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
            RPC.Type.LIST_VOLUMES,
            RPC.Type.PUBLISH_READONLY,
            RPC.Type.LIST_VOLUMES_PUBLISHED_NODES);
  }

  @Test
  void everyCallIsInTheLogWithItsEnd() {
    client.controller().controllerPublishVolume(attach("s1", "i-1"));
    refusal(() -> client.controller().controllerPublishVolume(attach("s1", "i-2")));
    client.controller().controllerUnpublishVolume(detach("s1", "i-1"));

    assertThat(fixture.log.calls())
        .extracting(Call::describe)
        .containsExactly(
            "#1 CP s1 i-1 rw -> OK",
            "#4 CP s1 i-2 rw -> FAILED_PRECONDITION",
            "#6 CU s1 i-1 -> OK");
    assertThat(fixture.log.calls())
        .extracting(call -> call.effect().isPresent())
        .containsExactly(true, false, true);
  }
}
