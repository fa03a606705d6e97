package dev.berth.workers.csi;

import static dev.berth.workers.WorkFixtures.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Call;
import dev.berth.records.CsiCall;
import dev.berth.workers.secrets.Redaction;
import dev.berth.workers.secrets.SecretResolution.Resolved;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RequestSizesTest {

  /** Deeper than 128 bytes, which CSI allows paths. */
  private static final MountPaths PATHS = new MountPaths(Path.of("/" + "d".repeat(200)), "ebs");

  private static final Resolved NOTHING = new Resolved(Map.of(), List.of(), Redaction.none());

  static Stream<Arguments> requestsOverALimit() {
    Call stage = call(CsiCall.NODE_STAGE).build();
    return Stream.of(
        Arguments.of(
            stage,
            secrets(Map.of("user", "a", "token", "é".repeat(2_044))),
            "secrets has 4098 bytes, 4093 of them in 'token'; CSI allows 4096 together"),
        Arguments.of(
            stage,
            new Resolved(
                Map.of(), List.of("noatime", "sec=" + "x".repeat(4_086)), Redaction.none()),
            "mount_flags has 4097 bytes, 4090 of them in number 2; CSI allows 4096 together"),
        Arguments.of(
            call(CsiCall.NODE_STAGE).setContext(Map.of("zone", "z".repeat(4_093))).build(),
            NOTHING,
            "volume_context has 4097 bytes, 4097 of them in 'zone'; CSI allows 4096 together"),
        Arguments.of(
            call(CsiCall.NODE_STAGE).setPublishContext(Map.of("lun", "7".repeat(4_094))).build(),
            NOTHING,
            "publish_context has 4097 bytes, 4097 of them in 'lun'; CSI allows 4096 together"),
        Arguments.of(
            call(CsiCall.NODE_STAGE).setFsType("x".repeat(129)).build(),
            NOTHING,
            "fs_type has 129 bytes; CSI plugins are sent 128 at most"),
        Arguments.of(
            call(CsiCall.CONTROLLER_UNPUBLISH).setExternalNode("i".repeat(257)).build(),
            NOTHING,
            "node_id has 257 bytes; CSI plugins are sent 256 at most"),
        Arguments.of(
            call(CsiCall.NODE_UNSTAGE).setExternalVolume("v".repeat(1_025)).build(),
            NOTHING,
            "volume_id has 1025 bytes; CSI plugins are sent 1024 at most"));
  }

  @ParameterizedTest
  @MethodSource("requestsOverALimit")
  void whatIsOverALimitIsNamedWithItsSizeAndNotItsValue(
      Call call, Resolved resolved, String message) {
    assertThat(problem(call, resolved)).contains(message);
  }

  @ParameterizedTest
  @EnumSource(CsiCall.class)
  void whatIsAsLargeAsCsiAllowsIsSent(CsiCall rpc) {
    Call call =
        call(rpc)
            .setExternalVolume("v".repeat(1_024))
            .setExternalNode("i".repeat(256))
            .setFsType("x".repeat(128))
            .setContext(Map.of("zone", "z".repeat(4_092)))
            .setPublishContext(Map.of("lun", "7".repeat(4_093)))
            .build();
    Resolved resolved =
        new Resolved(
            Map.of("token", "é".repeat(2_045)),
            List.of("noatime", "x".repeat(4_089)),
            Redaction.none());

    assertThat(problem(call, resolved)).isEmpty();
  }

  @Test
  void whatARequestDoesNotCarryIsNotMeasured() {
    Call call = call(CsiCall.NODE_UNPUBLISH).setContext(Map.of("zone", "z".repeat(5_000))).build();

    assertThat(problem(call, secrets(Map.of("token", "x".repeat(5_000))))).isEmpty();
  }

  private static Resolved secrets(Map<String, String> secrets) {
    return new Resolved(secrets, List.of(), Redaction.none());
  }

  private static Optional<String> problem(Call call, Resolved resolved) {
    return RequestSizes.problem(CsiRequests.prepare(call, resolved, PATHS).request());
  }
}
