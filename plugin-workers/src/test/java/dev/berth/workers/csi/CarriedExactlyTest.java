package dev.berth.workers.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.proto.csi.ControllerPublishVolumeRequest;
import dev.berth.proto.csi.ControllerUnpublishVolumeRequest;
import dev.berth.proto.csi.NodePublishVolumeRequest;
import dev.berth.proto.csi.NodeStageVolumeRequest;
import dev.berth.proto.csi.NodeUnpublishVolumeRequest;
import dev.berth.proto.csi.NodeUnstageVolumeRequest;
import dev.berth.proto.csi.VolumeCapability;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Call;
import dev.berth.records.CsiCall;
import dev.berth.records.PluginRole;
import dev.berth.records.RpcCode;
import dev.berth.workers.FakePlugin;
import dev.berth.workers.WorkFixtures;
import dev.berth.workers.accept.Accepted;
import dev.berth.workers.call.CallResult;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.secrets.MissingSecrets;
import dev.berth.workers.secrets.SecretSource;
import dev.berth.workers.time.Clocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a plugin receives of a call in which everything is set, letter by letter. */
class CarriedExactlyTest {

  private static final Map<String, String> CONTEXT = Map.of("fs/quota %", "10 GiB\n", "ünï", "✓");
  private static final Map<String, String> PUBLISHED = Map.of("device", "/dev/xvdf", "lun", "0");

  @TempDir Path mounts;

  private final SecretSource secrets =
      reference -> new SecretSource.Lookup.Found("secret of " + reference.key());
  private FakePlugin plugin;
  private PluginEndpoints endpoints;

  @BeforeEach
  void startPlugin() throws IOException {
    plugin = FakePlugin.start();
    endpoints =
        new PluginEndpoints(
            Stream.of(PluginRole.CONTROLLER, PluginRole.NODE).map(this::endpoint).toList());
  }

  @AfterEach
  void stopPlugin() {
    endpoints.close();
    plugin.close();
  }

  @Test
  void anAttach() {
    make(CsiCall.CONTROLLER_PUBLISH);

    assertThat(plugin.published)
        .containsExactly(
            ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId("vol/1 ü")
                .setNodeId("i-1")
                .setVolumeCapability(capability())
                .setReadonly(true)
                .putSecrets("user", "secret of name")
                .putAllVolumeContext(CONTEXT)
                .build());
  }

  @Test
  void aDetach() {
    make(CsiCall.CONTROLLER_UNPUBLISH);

    assertThat(plugin.others)
        .containsExactly(
            ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId("vol/1 ü")
                .setNodeId("i-1")
                .putSecrets("user", "secret of name")
                .build());
  }

  @Test
  void theStepsOfANode() {
    make(CsiCall.NODE_STAGE);
    make(CsiCall.NODE_PUBLISH);
    make(CsiCall.NODE_UNPUBLISH);
    make(CsiCall.NODE_UNSTAGE);

    String staging = mounts.resolve("ebs/staging/default/v1").toString();
    String target = mounts.resolve("ebs/per-alloc/a1/default/v1").toString();
    assertThat(plugin.others)
        .containsExactly(
            NodeStageVolumeRequest.newBuilder()
                .setVolumeId("vol/1 ü")
                .putAllPublishContext(PUBLISHED)
                .setStagingTargetPath(staging)
                .setVolumeCapability(capability())
                .putSecrets("user", "secret of name")
                .putAllVolumeContext(CONTEXT)
                .build(),
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId("vol/1 ü")
                .putAllPublishContext(PUBLISHED)
                .setStagingTargetPath(staging)
                .setTargetPath(target)
                .setVolumeCapability(capability())
                .setReadonly(true)
                .putSecrets("user", "secret of name")
                .putAllVolumeContext(CONTEXT)
                .build(),
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId("vol/1 ü")
                .setTargetPath(target)
                .build(),
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId("vol/1 ü")
                .setStagingTargetPath(staging)
                .build());
  }

  private void make(CsiCall rpc) {
    Call call =
        WorkFixtures.call(rpc)
            .setExternalVolume("vol/1 ü")
            .setAccess(AccessMode.MULTI_NODE_SINGLE_WRITER)
            .setAttachment(AttachmentMode.FILE_SYSTEM)
            .setReadOnly(true)
            .setFsType("xfs")
            .setMountFlags(List.of("noatime", "context=\"a b\"", "noatime"))
            .setContext(CONTEXT)
            .setPublishContext(PUBLISHED)
            .setSecrets(Map.of("user", "${vault:ebs:name}"))
            .build();
    Clocks clocks = Clocks.system();
    CsiCaller caller =
        new CsiCaller(
            endpoints,
            secrets,
            new MissingSecrets(secrets),
            IncarnationCheck.none(),
            TimeOfSendTest.NEVER_LATE,
            clocks);
    Accepted accepted = Accepted.of(WorkFixtures.work("t1").build(), "w1", "x1", clocks.read());
    assertThat(caller.call(accepted, call))
        .isInstanceOfSatisfying(
            CallResult.Answered.class, r -> assertThat(r.code()).isEqualTo(RpcCode.OK));
  }

  private static VolumeCapability capability() {
    return VolumeCapability.newBuilder()
        .setAccessMode(
            VolumeCapability.AccessMode.newBuilder()
                .setMode(VolumeCapability.AccessMode.Mode.MULTI_NODE_SINGLE_WRITER))
        .setMount(
            VolumeCapability.MountVolume.newBuilder()
                .setFsType("xfs")
                .addAllMountFlags(List.of("noatime", "context=\"a b\"", "noatime")))
        .build();
  }

  private PluginEndpoint endpoint(PluginRole role) {
    return new PluginEndpoint(
        new EndpointConfig(
            "a",
            Optional.of("ebs"),
            role,
            "n1",
            "pool",
            plugin.address(),
            Optional.empty(),
            Optional.empty()),
        PluginConnection.plaintext(plugin.address()),
        mounts);
  }
}
