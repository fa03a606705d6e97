package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackConfig;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.topics.TopicContent;
import dev.berth.records.Node;
import dev.berth.records.PluginInstance;
import dev.berth.records.PoliciesChanged;
import dev.berth.records.Signal;
import dev.berth.records.Volume;
import dev.berth.schemas.topics.Topic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Commands that send what files hold, to the real application")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class FileCommandsIT {

  @TempDir private static Path temp;
  private static EmbeddedStack stack;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeAll
  static void start() throws InterruptedException {
    stack =
        EmbeddedStack.start(
            StackConfig.in(temp.resolve("data")).withNodes(2), Clock.systemUTC(), step -> {});
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  @DisplayName("volumes are registered and deregistered; each is answered, a refusal exits 1")
  void volumes() throws Exception {
    assertThat(run("volume", "register", "-f", "examples/volumes.yaml")).isEqualTo(ExitCode.OK);
    assertThat(lines())
        .hasSize(4)
        .allSatisfy(line -> assertThat(line).doesNotContain("refused"))
        .element(1)
        .asString()
        .startsWith("shop/orders-db");
    assertThat(table(Topic.VOLUMES, Volume.class)).contains("shop/orders-db", "shop/uploads");

    Path taken =
        Files.writeString(
            temp.resolve("taken.yaml"),
            """
            id: other
            plugin: ebs
            external-id: vol-0f3a2b1c
            capabilities: [{access: single-node-writer}]
            """);
    out.reset();
    assertThat(run("volume", "register", "-f", taken.toString(), "-o", "json"))
        .isEqualTo(ExitCode.FAILED);
    JsonNode answer = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8)).get(0);
    assertThat(answer.get("subject").asText()).isEqualTo("default/other");
    assertThat(answer.get("outcome").asText()).isEqualTo("refused");
    assertThat(answer.get("code").asText()).isEqualTo("external-id-taken");
    assertThat(answer.get("message").asText()).contains("shop/orders-db");

    out.reset();
    assertThat(run("volume", "deregister", "-f", "examples/volumes.yaml")).isEqualTo(ExitCode.OK);
    assertThat(table(Topic.VOLUMES, Volume.class)).isEmpty();
  }

  @Test
  @DisplayName("nodes and plugin instances stand on their topics until they are removed")
  void records() throws IOException {
    assertThat(run("node", "apply", "--scheduler", "dev", "-f", "examples/nodes.yaml"))
        .isEqualTo(ExitCode.OK);
    assertThat(lines())
        .containsExactly("NODE  RESULT  MESSAGE", "n1    ok      written", "n2    ok      written");
    try (TopicContent content = new TopicContent(stack.connection())) {
      assertThat(content.table(Topic.NODES, Node.class).get("n2").getEligible()).isFalse();
    }
    out.reset();
    assertThat(
            run("node", "apply", "--scheduler", "dev", "-f", "examples/nodes.yaml", "-o", "json"))
        .isEqualTo(ExitCode.OK);
    JsonNode applied = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
    assertThat(applied.findValuesAsText("subject")).containsExactly("n1", "n2");
    assertThat(applied.findValuesAsText("outcome")).containsExactly("ok", "ok");

    assertThat(run("plugin", "apply", "-f", "examples/plugins.json")).isEqualTo(ExitCode.OK);
    assertThat(table(Topic.PLUGINS, PluginInstance.class))
        .contains("san/controller@n1", "san/node@n1");
    assertThat(run("plugin", "remove", "san/controller@n1", "san/node@n1")).isEqualTo(ExitCode.OK);
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(table(Topic.PLUGINS, PluginInstance.class))
                    .doesNotContain("san/controller@n1", "san/node@n1"));
  }

  @Test
  @DisplayName("a policy that is set is in force once the application has read it")
  void policies() {
    assertThat(run("policy", "set", "plugin/ebs", "max-attempts=3", "--reason", "test"))
        .isEqualTo(ExitCode.OK);

    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(policiesInForce().get("plugin/ebs"))
                    .containsEntry("max-attempts", "3")
                    .containsEntry("node-step", "worker"));
  }

  private static Map<String, Map<String, String>> policiesInForce() {
    try (TopicContent content = new TopicContent(stack.connection())) {
      return content.records(Topic.VOLUME_SIGNALS, Signal.class).stream()
          .flatMap(entry -> entry.value().stream())
          .map(Signal::getBody)
          .filter(PoliciesChanged.class::isInstance)
          .map(PoliciesChanged.class::cast)
          .max(Comparator.comparing(PoliciesChanged::getVersion))
          .map(PoliciesChanged::getPolicies)
          .orElse(Map.of());
    }
  }

  private static <T extends SpecificRecord> List<String> table(Topic topic, Class<T> type) {
    try (TopicContent content = new TopicContent(stack.connection())) {
      return List.copyOf(content.table(topic, type).keySet());
    }
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private int run(String... args) {
    List<String> line = new ArrayList<>(List.of(args));
    line.addAll(
        List.of(
            "--bootstrap-servers", stack.bootstrapServers(), "--registry", stack.registryUrl()));
    return BerthCommand.run(
        Terminal.plain(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8)),
        line.toArray(String[]::new));
  }
}
