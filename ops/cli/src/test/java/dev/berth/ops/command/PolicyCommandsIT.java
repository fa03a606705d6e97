package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.topics.PolicyWriter;
import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.Author;
import dev.berth.producers.Connection;
import dev.berth.records.Policy;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.Topic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The commands on policies")
class PolicyCommandsIT {
  private static final Question NOBODY = text -> Optional.empty();
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  @TempDir private static Path temp;
  private static EmbeddedBroker broker;
  private static EmbeddedRegistry registry;
  private static Connection connection;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeAll
  static void start() throws IOException {
    broker = EmbeddedBroker.start(temp.resolve("broker"));
    registry = EmbeddedRegistry.start(temp.resolve("registry"));
    connection = Connection.to(broker.bootstrapServers(), registry.url());
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
        Registry client = Registry.connect(connection.registry())) {
      new Provisioning(connection.topics(), Layout.replicated(1), admin).run(client);
    }
  }

  @AfterAll
  static void stop() {
    registry.close();
    broker.close();
  }

  @Test
  @DisplayName("set, show and take back keys, with who and why in the record")
  void changes() throws IOException {
    assertThat(
            run(NOBODY, "policy set plugin/a rpc-timeout=5m run=1 --by ann --reason slow-region"))
        .isEqualTo(ExitCode.OK);
    assertThat(text(out))
        .isEqualTo(
            """
            POLICY    RESULT  MESSAGE
            plugin/a  ok      rpc-timeout=5m (was not set), run=1 (was not set)
            """);
    assertThat(table().get("plugin/a"))
        .isEqualTo(
            new Policy(
                "plugin/a", Map.of("rpc-timeout", "5m", "run", "1"), "ann", "slow-region", NOW));

    assertThat(run(NOBODY, "policy set plugin/a run=2 --by eve")).isEqualTo(ExitCode.OK);
    assertThat(run(NOBODY, "policy set plugin/a run=2")).isEqualTo(ExitCode.OK);
    assertThat(text(out)).contains("nothing to change");
    assertThat(table().get("plugin/a").getBy()).isEqualTo("eve");
    assertThat(run(NOBODY, "policy unset plugin/a run")).isEqualTo(ExitCode.OK);
    assertThat(text(out)).contains("run is not set any more (was 2)");
    assertThat(table().get("plugin/a").getSettings()).isEqualTo(Map.of("rpc-timeout", "5m"));

    assertThat(run(NOBODY, "policy get plugin/a -o json")).isEqualTo(ExitCode.OK);
    JsonNode shown = new ObjectMapper().readTree(text(out));
    assertThat(shown.at("/published/settings/rpc-timeout").asText()).isEqualTo("5m");
    assertThat(shown.get("inForce"))
        .contains(entry("rpc-timeout", "5m", "plugin/a"), entry("run", "0", "built in"));
    assertThat(run(NOBODY, "policy get plugin/a")).isEqualTo(ExitCode.OK);
    assertThat(text(out))
        .startsWith("Policy plugin/a, set at 2026-03-01T10:00:00Z by ")
        .containsPattern("\nrpc-timeout +5m +plugin/a\n");

    assertThat(run(NOBODY, "policy unset plugin/a --all")).isEqualTo(ExitCode.OK);
    assertThat(table()).doesNotContainKey("plugin/a");
    assertThat(run(NOBODY, "policy get plugin/a")).isEqualTo(ExitCode.OK);
    assertThat(text(out)).startsWith("No policy plugin/a is published.");
  }

  @Test
  @DisplayName("ask before what can lose data, and want yes and a reason elsewhere")
  void dangers() {
    String line = "policy set plugin/b node-loss=detach";

    assertThat(run(NOBODY, line)).isEqualTo(ExitCode.USAGE);
    assertThat(text(err).replaceAll("\\s+", " "))
        .startsWith("Changes policy plugin/b: node-loss=detach (was not set). node-loss=detach: a")
        .contains("data can be destroyed", "berth claim list --plugin b")
        .contains("confirm it with --yes and say why with --reason");
    assertThat(run(answers("fenced", "no"), line)).isEqualTo(ExitCode.FAILED);
    assertThat(run(NOBODY, line + " --yes")).isEqualTo(ExitCode.USAGE);
    assertThat(table()).doesNotContainKey("plugin/b");

    assertThat(run(answers("fenced", "yes"), line)).isEqualTo(ExitCode.OK);
    assertThat(table().get("plugin/b").getReason()).isEqualTo("fenced");
    assertThat(run(NOBODY, "policy set plugin/b node-loss=hold")).isEqualTo(ExitCode.OK);
    assertThat(run(NOBODY, line + " --yes --reason again")).isEqualTo(ExitCode.OK);
    assertThat(table().get("plugin/b").getReason()).isEqualTo("again");
  }

  @Test
  @DisplayName("show a policy that Berth has rejected, and mend it")
  void rejected() throws InterruptedException, IOException {
    try (PolicyWriter anybody = new PolicyWriter(connection, Clock.systemUTC())) {
      anybody.set("plugin/c", Map.of("lanes", "9", "run", "3"), Author.of("eve"));
    }

    assertThat(run(NOBODY, "policy list")).isEqualTo(ExitCode.FAILED);
    assertThat(text(out).lines())
        .anyMatch(line -> line.matches("plugin/c +lanes +9 .*"))
        .anyMatch(
            line ->
                line.startsWith(
                    "Not in force: policy 'plugin/c', lanes = '9': there is no such key"))
        .allMatch(line -> line.length() <= 100, "fits");
    assertThat(run(NOBODY, "policy list -o json")).isEqualTo(ExitCode.FAILED);
    assertThat(new ObjectMapper().readTree(text(out)).findValuesAsText("name"))
        .contains("plugin/c");
    assertThat(run(NOBODY, "policy set plugin/c run=4")).isEqualTo(ExitCode.FAILED);
    assertThat(text(err)).contains("policy 'plugin/c', lanes = '9': there is no such key");
    assertThat(run(NOBODY, "policy unset plugin/c lanes")).isEqualTo(ExitCode.OK);
    assertThat(run(NOBODY, "policy unset plugin/c lanes2")).isEqualTo(ExitCode.USAGE);
    assertThat(run(NOBODY, "policy list")).isEqualTo(ExitCode.OK);
  }

  private static JsonNode entry(String key, String value, String from) {
    return new ObjectMapper()
        .createObjectNode()
        .put("key", key)
        .put("value", value)
        .put("from", from);
  }

  private static Map<String, Policy> table() {
    try (TopicContent content = new TopicContent(connection)) {
      return content.table(Topic.POLICIES, Policy.class);
    }
  }

  private static Question answers(String... answers) {
    Deque<String> left = new ArrayDeque<>(List.of(answers));
    return text -> Optional.ofNullable(left.poll());
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  private int run(Question question, String line) {
    out.reset();
    err.reset();
    List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
    words.addAll(
        List.of("--bootstrap-servers", broker.bootstrapServers(), "--registry", registry.url()));
    Terminal terminal =
        Terminal.plain(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    return BerthCommand.commandLine(terminal, Clock.fixed(NOW, ZoneOffset.UTC), question)
        .execute(words.toArray(String[]::new));
  }
}
