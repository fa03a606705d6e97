package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Provider;
import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackPlugin;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.csi.ControllerGrpc;
import dev.berth.proto.csi.ControllerPublishVolumeRequest;
import dev.berth.proto.csi.ControllerPublishVolumeResponse;
import dev.berth.proto.csi.VolumeCapability;
import dev.berth.proto.csi.VolumeCapability.AccessMode.Mode;
import dev.berth.records.PluginRole;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DemoCommandIT {

  private static final String[] SMALL = {"--pods", "24", "-o", "json"};

  /** The JVM's code for the signal; for that of Ctrl-C it is {@link ExitCode#INTERRUPTED}. */
  private static final int BY_SIGTERM = 128 + 15;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final List<ManagedChannel> channels = new ArrayList<>();

  @AfterEach
  void close() {
    channels.forEach(ManagedChannel::shutdownNow);
  }

  @Test
  @DisplayName("a demonstration that went well exits 0 and says so")
  void good() throws JsonProcessingException {
    int code = run(stack -> {});
    assertThat(code).as(output(err)).isEqualTo(ExitCode.OK);
    JsonNode report = new ObjectMapper().readTree(output(out));
    assertThat(report.get("problems")).isEmpty();
    assertThat(report.get("ok").asBoolean()).isTrue();
    int claims = report.get("plan").get("claims").asInt();
    assertThat(claims).isBetween(10, 30);
    assertThat(report.get("claims").get("made").asInt()).isEqualTo(claims);
    assertThat(report.get("claims").get("granted").asInt()).isEqualTo(claims);
    assertThat(report.get("claims").get("released").asInt()).isEqualTo(claims);
    assertThat(report.get("waits").get("longest")).isNotEmpty();
    assertThat(report.get("lanes").fieldNames()).toIterable().containsExactly("ebs", "gce");
    assertThat(report.get("leftAttached").asInt()).isZero();
  }

  @Test
  @DisplayName("whoever attaches beside Berth is found: exit 1 with the evidence")
  void sabotage() throws JsonProcessingException {
    int code = run(this::attachBesideBerth);
    assertThat(code).as(output(err)).isEqualTo(ExitCode.FAILED);
    JsonNode report = new ObjectMapper().readTree(output(out));
    assertThat(report.get("ok").asBoolean()).isFalse();
    List<String> problems = new ArrayList<>();
    report.get("problems").forEach(problem -> problems.add(problem.asText()));
    assertThat(problems)
        .contains("volume vol-stranger of plugin ebs is still attached to node i-stranger")
        .anySatisfy(
            problem ->
                assertThat(problem)
                    .startsWith("2 controller calls of plugin ebs were open together, allowed are")
                    .contains("CP vol-stranger i-stranger"));
  }

  @Test
  @Timeout(value = 4, unit = TimeUnit.MINUTES)
  @DisplayName("asked to stop, a demonstration stops everything and leaves nothing behind")
  void stopped(@TempDir Path temp) throws Exception {
    Path files = Files.createDirectory(temp.resolve("tmp"));
    try (BerthProcess demo = BerthProcess.demo(files, temp.resolve("printed"), "--latency", "2s")) {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> demo.printed().contains("allocs through claim") || !demo.isAlive());
      assertThat(demo.isAlive()).as(demo.printed()).isTrue();
      assertThat(files).isNotEmptyDirectory();
      assertThat(demo.stop()).isEqualTo(BY_SIGTERM);
      assertThat(demo.printed())
          .endsWith("Interrupted. Everything is stopped, and nothing is left behind.\n");
    }
    assertThat(files).isEmptyDirectory();
  }

  @Test
  @Timeout(value = 4, unit = TimeUnit.MINUTES)
  @DisplayName("killed in the middle, a demonstration goes on and ends as one that was not")
  void killed(@TempDir Path temp) throws Exception {
    Path files = Files.createDirectory(temp.resolve("tmp"));
    Path printed = temp.resolve("printed");
    try (BerthProcess demo =
        BerthProcess.demo(files, printed, "--pods", "40", "--kill", "1", "--latency", "50ms")) {
      assertThat(demo.exitCode()).as(demo.printed()).isEqualTo(ExitCode.OK);
      assertThat(demo.printed())
          .contains("  1 kills asked, 1 done")
          .contains("killed life 1 while allocs through claim, run and end")
          .containsPattern("(?m)^  1 +[0-9.]+ m?s +[0-9.]+ m?s +allocs through claim")
          .containsPattern("(?m)^  2 +[0-9.]+ m?s +- +\\(to the end\\)$")
          .contains("nothing left attached");
    }
    assertThat(files).isEmptyDirectory();
  }

  /** A call of the plugin's usual time, while the first claims of Berth are in its lane too. */
  private void attachBesideBerth(EmbeddedStack stack) {
    Provider provider = stack.providers().get(StackPlugin.EBS);
    provider.createVolume("vol-stranger", Access.SINGLE_NODE);
    provider.addNode("i-stranger", 0);
    ManagedChannel channel =
        Grpc.newChannelBuilder(controller(stack), InsecureChannelCredentials.create()).build();
    channels.add(channel);
    ControllerPublishVolumeRequest attach =
        ControllerPublishVolumeRequest.newBuilder()
            .setVolumeId("vol-stranger")
            .setNodeId("i-stranger")
            .setVolumeCapability(
                VolumeCapability.newBuilder()
                    .setAccessMode(
                        VolumeCapability.AccessMode.newBuilder().setMode(Mode.SINGLE_NODE_WRITER))
                    .setMount(VolumeCapability.MountVolume.getDefaultInstance()))
            .build();
    // Again and again, so that one of them meets a call of Berth's whenever that begins.
    attachAgain(ControllerGrpc.newStub(channel), attach, 100);
  }

  private static void attachAgain(
      ControllerGrpc.ControllerStub plugin, ControllerPublishVolumeRequest attach, int times) {
    plugin.controllerPublishVolume(
        attach,
        new StreamObserver<>() {
          @Override
          public void onNext(ControllerPublishVolumeResponse answer) {
            if (times > 1) {
              attachAgain(plugin, attach, times - 1);
            }
          }

          @Override
          public void onError(Throwable failure) {
            // The end of the stack; what was seen until then has to do.
          }

          @Override
          public void onCompleted() {
            // Nothing comes after the one answer.
          }
        });
  }

  private static String controller(EmbeddedStack stack) {
    return stack.endpoints().stream()
        .filter(e -> e.role() == PluginRole.CONTROLLER)
        .filter(e -> e.plugin().filter(StackPlugin.EBS::equals).isPresent())
        .map(e -> e.address().text())
        .findFirst()
        .orElseThrow();
  }

  private int run(Consumer<EmbeddedStack> whenReady) {
    Terminal terminal =
        Terminal.plain(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    CommandLine line = new CommandLine(new DemoCommand(terminal, whenReady));
    OptionText.register(line);
    return line.execute(SMALL);
  }

  private static String output(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
