package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.Attachment;
import dev.berth.proto.api.AttachmentState;
import dev.berth.proto.api.Cause;
import dev.berth.proto.api.Lane;
import dev.berth.proto.api.Node;
import dev.berth.proto.api.NodeSlots;
import dev.berth.proto.api.NodeStatus;
import dev.berth.proto.api.OpenAttempt;
import dev.berth.proto.api.OpenSessionResponse;
import dev.berth.proto.api.Plugin;
import dev.berth.proto.api.PluginInstance;
import dev.berth.proto.api.PluginLanes;
import dev.berth.proto.api.WhyClaimResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** Every command that shows something of the API shows it in every format. */
class ViewOutputTest {
  private final FakeBerth berth = new FakeBerth();
  private final Limited out = new Limited();

  @BeforeEach
  void fill() {
    berth.volumes.add(ApiAnswers.volume("db"));
    berth.volume = ApiAnswers.status();
    berth.claims.add(ApiAnswers.ending("db", "a1"));
    berth.stuck.add(ApiAnswers.stuck("db", "a1"));
    berth.why =
        WhyClaimResponse.newBuilder()
            .setClaim(ApiAnswers.ending("db", "a1"))
            .addChain(
                Cause.newBuilder()
                    .setKind(Cause.Kind.KIND_EVENT)
                    .setAt(ApiAnswers.ago(Duration.ofMinutes(13)))
                    .setName("claim"))
            .build();
    berth.plugins.add(
        Plugin.newBuilder()
            .setPlugin("ebs")
            .setControllers(1)
            .setHealthyControllers(1)
            .setControllerRequired(true)
            .addInstances(
                PluginInstance.newBuilder()
                    .setRole(PluginInstance.Role.ROLE_CONTROLLER)
                    .setNode("n1")
                    .setHealthy(true)
                    .setNodeReady(true))
            .build());
    berth.lanes.add(
        PluginLanes.newBuilder()
            .setPlugin("ebs")
            .setScope("node")
            .setQueued(3)
            .setOpen(1)
            .setEstimatedDrain(com.google.protobuf.Duration.newBuilder().setSeconds(90))
            .setAttachTime(com.google.protobuf.Duration.newBuilder().setSeconds(2))
            .addLanes(
                Lane.newBuilder()
                    .setLane("ebs/controller/n1")
                    .setQueuedDetaches(3)
                    .setOpen(
                        OpenAttempt.newBuilder()
                            .addCalls("ControllerUnpublishVolume prod/db n1")
                            .setWorker("w1")
                            .setDispatchedAt(ApiAnswers.ago(Duration.ofSeconds(31)))
                            .setAcceptedAt(ApiAnswers.ago(Duration.ofSeconds(30)))))
            .build());
    berth.nodes.add(
        Node.newBuilder()
            .setNode("n1")
            .setScheduler("east")
            .setStatus(NodeStatus.NODE_STATUS_READY)
            .setIncarnation(2)
            .build());
    berth.attachments.add(
        Attachment.newBuilder()
            .setRef(ApiAnswers.volume("db").getRef())
            .setNode("n1")
            .setPlugin("ebs")
            .setState(AttachmentState.ATTACHMENT_STATE_DETACHING)
            .setStateSince(ApiAnswers.ago(Duration.ofSeconds(30)))
            .setRpc("ControllerUnpublishVolume")
            .setExternalNodeId("i-1")
            .build());
    berth.opened =
        OpenSessionResponse.newBuilder()
            .setOneTimeToken("o.x")
            .setExpiresAt(ApiAnswers.ago(Duration.ofMinutes(-1)))
            .build();
    berth.slots.add(
        NodeSlots.newBuilder()
            .setNode("n1")
            .setPlugin("ebs")
            .setInUse(3)
            .setMaxVolumes(25)
            .build());
  }

  @AfterEach
  void close() {
    berth.close();
  }

  @ParameterizedTest(name = "berth {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          volume list           | /0/plugin                 | ebs              | EXTERNAL ID
          volume status prod/db | /claims/1/heldBy/0        | a1               | held by a1
          claim list            | /0/state                  | node-detached    | GENERATION
          claim why prod/db a1  | /chain/0/kind             | event            | How it came there
          stuck list            | /0/attempts               | 4                | RPC CODE
          stuck show prod/db    | /0/rpcCode                | PERMISSION_DENIED | berth stuck retry prod/db
          plugin list           | /0/healthyControllers     | 1                | LISTS NODES
          plugin status ebs     | /calls/queued             | 3                | 1 of 1 well
          lane list             | /0/lanes/0/open/worker    | w1               | ATTACH TIME
          attachment list       | /0/state                  | detaching        | EXTERNAL NODE
          session open          | /oneTimeToken             | o.x              | o.x
          session close         | /closed                   | 2                | Ended so many
          node list             | /0/incarnation            | 2                | REASON
          node slots            | /0/maxVolumes             | 25               | FREE
          top --once            | /plugins/0/estimatedDrain | 90.000s          | BEHIND IT
          """)
  @DisplayName("text, wide, JSON and YAML; YAML says the same as JSON")
  void formats(String line, String pointer, String value, String wide) throws IOException {
    assertThat(run(line)).isEqualTo(ExitCode.OK);
    assertThat(text().lines()).isNotEmpty().allMatch(each -> each.length() <= 100, "fits");
    assertThat(run(line + " -o wide")).isEqualTo(ExitCode.OK);
    assertThat(text()).contains(wide);
    assertThat(run(line + " -o json")).isEqualTo(ExitCode.OK);
    JsonNode json = new ObjectMapper().readTree(text());
    assertThat(json.at(pointer).asText()).isEqualTo(value == null ? "" : value);
    assertThat(run(line + " -o yaml")).isEqualTo(ExitCode.OK);
    Object yaml = new Yaml().<Object>load(text());
    assertThat(yaml.toString())
        .isEqualTo(new ObjectMapper().convertValue(json, Object.class).toString());
  }

  @ParameterizedTest(name = "berth {0} --watch")
  @CsvSource({"volume status prod/db", "plugin status ebs", "stuck show prod/db", "lane list"})
  @DisplayName("what is watched is shown again until nobody reads")
  void watched(String line) {
    run(line);
    int once = text().length();
    out.limit = 2 * once;
    assertThat(run(line + " --watch 5ms")).isEqualTo(ExitCode.OK);
    assertThat(text().length()).isGreaterThan(2 * once);
  }

  @Test
  @DisplayName("top tells lanes, the calls that are out and what is stuck, and fits its screen")
  void top() {
    assertThat(run("top --once")).isEqualTo(ExitCode.OK);
    assertThat(text())
        .isEqualTo(
            """
            berth top  2026-03-01T10:00:00Z
            1 out, 3 in line, 0 held, 1 stuck

            Lanes
            PLUGIN  STATE    LANES BY  OUT  IN LINE  HELD  OLDEST  DONE IN
            ebs     running  node      1    3        -     -       about 90s

            Out
            PLUGIN  LANE               CALL                                  WORKER  OUT FOR  BEHIND IT
            ebs     ebs/controller/n1  ControllerUnpublishVolume prod/db n1  w1      30s      3

            Stuck
            VOLUME   ALLOC  NODE  STEP    CODE              TRIES  FOR  RETRY
            prod/db  a1     n1    detach  controller-error  4      12m  in 4m
            """);
    out.limit = 1_500;
    assertThat(run("top --interval 5ms")).isEqualTo(ExitCode.OK);
    assertThat(text().split("berth top", -1)).hasSizeGreaterThan(3);
    assertThat(run("top --interval soon")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  @DisplayName("on a terminal top takes the other screen, and gives it back")
  void fullScreen() {
    out.limit = 2_000;
    Terminal terminal =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(new ByteArrayOutputStream()),
            true,
            false,
            100);
    assertThat(
            BerthCommand.commandLine(
                    terminal, Clock.fixed(ApiAnswers.NOW, ZoneOffset.UTC), text -> Optional.empty())
                .execute("top", "--interval", "5ms", "--api", berth.address()))
        .isEqualTo(ExitCode.OK);
    assertThat(text()).startsWith("\u001b[?1049h").contains("3 in line", "prod/db");
  }

  /** A reader that has enough at some point. */
  private static final class Limited extends ByteArrayOutputStream {
    private int limit = Integer.MAX_VALUE;

    @Override
    public void flush() throws IOException {
      if (size() > limit) {
        throw new IOException("nobody reads");
      }
    }
  }

  private int run(String line) {
    out.reset();
    List<String> words = new ArrayList<>(List.of(line.split(" +", -1)));
    words.addAll(List.of("--api", berth.address()));
    return BerthCommand.commandLine(
            Terminal.plain(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(new ByteArrayOutputStream())),
            Clock.fixed(ApiAnswers.NOW, ZoneOffset.UTC),
            text -> Optional.empty())
        .execute(words.toArray(String[]::new));
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }
}
