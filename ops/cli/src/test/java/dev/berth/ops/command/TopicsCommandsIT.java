package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.ops.terminal.Terminal;
import dev.berth.schemas.topics.Topic;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Commands about topics, on a real broker")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TopicsCommandsIT {
  @TempDir private Path temp;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  @DisplayName("topics are created once, found right, and found wrong when somebody changes one")
  void life() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(temp.resolve("broker"));
        EmbeddedRegistry registry = EmbeddedRegistry.start(temp.resolve("registry"))) {
      assertThat(run(broker, registry, "check")).isEqualTo(ExitCode.FAILED);
      assertThat(text()).contains("berth.claims: missing", "remedy: berth topics create");
      assertThat(run(broker, registry, "create", "--dry-run")).isEqualTo(ExitCode.OK);
      assertThat(text()).contains("Would create so many topics: " + Topic.values().length);

      assertThat(run(broker, registry, "create", "--partitions", "volume=2", "-o", "json"))
          .isEqualTo(ExitCode.OK);
      JsonNode created = new ObjectMapper().readTree(text());
      assertThat(created.get("created")).hasSize(Topic.values().length);
      assertThat(created.get("schemas").asInt()).isEqualTo(Topic.values().length - 1);

      assertThat(run(broker, registry, "create")).isEqualTo(ExitCode.OK);
      assertThat(text()).contains("Created so many topics: 0.");
      assertThat(run(broker, registry, "check")).isEqualTo(ExitCode.OK);
      assertThat(text())
          .isEqualTo(
              "All %d topics are as the catalogue has them.%n".formatted(Topic.values().length));

      change(broker, "berth.plugin-work", "retention.ms", "1000");
      await()
          .untilAsserted(
              () -> {
                assertThat(run(broker, registry, "check")).isEqualTo(ExitCode.OK);
                assertThat(text()).startsWith("berth.plugin-work: retention.ms is 1000");
              });
      change(broker, "berth.claims", "cleanup.policy", "delete");
      // A broker takes a moment to hear of a setting.
      await()
          .untilAsserted(
              () ->
                  assertThat(differences(broker, registry))
                      .containsExactly(
                          "berth.claims cleanup.policy delete true",
                          "berth.plugin-work retention.ms 1000 false"));
      assertThat(run(broker, registry, "create")).isEqualTo(ExitCode.FAILED);
    }
  }

  private List<String> differences(EmbeddedBroker broker, EmbeddedRegistry registry)
      throws Exception {
    assertThat(run(broker, registry, "check", "-o", "json")).isEqualTo(ExitCode.FAILED);
    List<String> differences = new ArrayList<>();
    for (JsonNode each : new ObjectMapper().readTree(text()).get("differences")) {
      differences.add(
          "%s %s %s %s"
              .formatted(
                  each.get("topic").asText(),
                  each.get("setting").asText(),
                  each.get("found").asText(),
                  each.get("blocking").asText()));
    }
    return differences;
  }

  private static void change(EmbeddedBroker broker, String topic, String name, String value)
      throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, topic),
                  List.of(
                      new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET))))
          .all()
          .get();
    }
  }

  private int run(EmbeddedBroker broker, EmbeddedRegistry registry, String... command) {
    out.reset();
    List<String> words = new ArrayList<>(List.of("topics"));
    words.addAll(List.of(command));
    words.addAll(
        List.of(
            "--replication-factor",
            "1",
            "--bootstrap-servers",
            broker.bootstrapServers(),
            "--registry",
            registry.url()));
    return BerthCommand.run(
        Terminal.plain(new PrintStream(out), new PrintStream(new ByteArrayOutputStream())),
        words.toArray(String[]::new));
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }
}
