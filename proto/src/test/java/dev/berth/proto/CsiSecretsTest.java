package dev.berth.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DebugFormat;
import com.google.protobuf.Message;
import dev.berth.proto.csi.ControllerPublishVolumeRequest;
import dev.berth.proto.csi.ControllerUnpublishVolumeRequest;
import dev.berth.proto.csi.NodePublishVolumeRequest;
import dev.berth.proto.csi.NodeStageVolumeRequest;
import dev.berth.proto.csi.VolumeCapability;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever CSI marks as a secret, and mount flags, are left out by the printer made for logs. */
class CsiSecretsTest {

  static Stream<Message> messagesWithSecrets() {
    VolumeCapability flagged =
        VolumeCapability.newBuilder()
            .setMount(VolumeCapability.MountVolume.newBuilder().addMountFlags("pw=s3cret"))
            .build();
    return Stream.of(
        ControllerPublishVolumeRequest.newBuilder()
            .setVolumeId("vol-1")
            .putSecrets("token", "s3cret")
            .setVolumeCapability(flagged)
            .build(),
        ControllerUnpublishVolumeRequest.newBuilder()
            .setVolumeId("vol-1")
            .putSecrets("token", "s3cret")
            .build(),
        NodeStageVolumeRequest.newBuilder()
            .setVolumeId("vol-1")
            .putSecrets("token", "s3cret")
            .setVolumeCapability(flagged)
            .build(),
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId("vol-1")
            .putSecrets("token", "s3cret")
            .setVolumeCapability(flagged)
            .build());
  }

  @ParameterizedTest
  @MethodSource("messagesWithSecrets")
  void secretsAreRedacted(Message message) {
    assertThat(DebugFormat.singleLine().toString(message))
        .contains("vol-1")
        .doesNotContain("s3cret");
  }
}
