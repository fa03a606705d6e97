package dev.berth.workers.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.BoolValue;
import dev.berth.proto.csi.ProbeResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PluginTroubleTest {

  @Test
  void aPluginThatSaysNothingOfReadinessIsReady() {
    assertThat(PluginTrouble.of(ProbeResponse.getDefaultInstance())).isEmpty();
    assertThat(PluginTrouble.of(probe(true))).isEmpty();
  }

  @Test
  void aPluginThatIsNotReadyIsUnwell() {
    assertThat(PluginTrouble.of(probe(false)))
        .contains("the plugin says that it is not ready yet (Probe)");
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
    assertThat(PluginTrouble.of("Probe", "unix:///a", status, Duration.ofSeconds(10)))
        .isEqualTo(text);
  }

  private static ProbeResponse probe(boolean ready) {
    return ProbeResponse.newBuilder().setReady(BoolValue.of(ready)).build();
  }
}
