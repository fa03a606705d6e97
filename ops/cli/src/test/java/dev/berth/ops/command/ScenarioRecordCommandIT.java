package dev.berth.ops.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackConfig;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.topics.TopicContent;
import dev.berth.records.Claim;
import dev.berth.schemas.topics.Topic;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Recording what the real application does")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class ScenarioRecordCommandIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path temp = Path.of(".");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  @DisplayName("two lives of a volume, the second of which is recorded, end as they did")
  void record() throws Exception {
    StackConfig config = StackConfig.in(temp.resolve("data")).withNodes(2);
    try (EmbeddedStack stack = EmbeddedStack.start(config, Clock.systemUTC(), step -> {})) {
      Path volume =
          Files.writeString(
              temp.resolve("volume.yaml"),
              """
              namespace: prod
              id: db
              plugin: ebs
              external-id: vol-db
              capabilities: [{access: single-node-writer}]
              """);
      assertThat(run(stack, "volume", "register", "-f", volume.toString())).isEqualTo(ExitCode.OK);
      live(stack, config.scheduler(), "a1");
      live(stack, config.scheduler(), "a2");
      Path file = temp.resolve("incident.yaml");

      int code = run(stack, "scenario", "record", "--volume", "prod/db", "--out", file.toString());

      String text = Files.readString(file);
      assertThat(code).as("%s%n%s%n%s", printed(out), printed(err), text).isEqualTo(ExitCode.OK);
      assertThat(printed(out)).contains("It ends as it did");
      assertThat(text)
          .contains("claim: {alloc: a1, volume: db, namespace: prod, node: n1")
          .contains("claim: {alloc: a2,")
          .contains("# From berth.claim-history, offsets");
      out.reset();
      assertThat(run(stack, "scenario", "record", "--volume", "prod/db", "-o", "json"))
          .isEqualTo(ExitCode.OK);
      JsonNode json = new ObjectMapper().readTree(printed(out));
      assertThat(json.get("holds").asBoolean()).isTrue();
      assertThat(json.get("unreadable").asInt(-1)).isZero();
      // Topics have gone on meanwhile, which the head of the file says.
      assertThat(json.get("text").asText()).contains("claim: {alloc: a1, volume: db");
    }
  }

  private void live(EmbeddedStack stack, String scheduler, String alloc) throws Exception {
    feed(
        stack,
        scheduler,
        """
        {"event":"claim","alloc":"%s","node":"n1","namespace":"prod","volume":"db","mode":"write","access":"single-node-writer"}
        """
            .formatted(alloc));
    await().atMost(PATIENCE).until(() -> claims(stack).stream().anyMatch(Claim::getGranted));
    feed(
        stack,
        scheduler,
        """
        {"event":"status","alloc":"%s","namespace":"prod","volume":"db","client":"complete"}
        """
            .formatted(alloc));
    await().atMost(PATIENCE).until(() -> claims(stack).isEmpty());
  }

  private void feed(EmbeddedStack stack, String scheduler, String line) throws Exception {
    Path events = Files.writeString(temp.resolve("events.jsonl"), line);
    assertThat(run(stack, "feed", "events", events.toString(), "--scheduler", scheduler))
        .as(printed(err))
        .isEqualTo(ExitCode.OK);
  }

  private static List<Claim> claims(EmbeddedStack stack) {
    try (TopicContent content = new TopicContent(stack.connection())) {
      return List.copyOf(content.table(Topic.CLAIMS, Claim.class).values());
    }
  }

  private static String printed(ByteArrayOutputStream stream) {
    return stream.toString(UTF_8);
  }

  private int run(EmbeddedStack stack, String... args) {
    List<String> line = new ArrayList<>(List.of(args));
    line.addAll(
        List.of(
            "--bootstrap-servers", stack.bootstrapServers(), "--registry", stack.registryUrl()));
    return BerthCommand.run(
        Terminal.plain(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)),
        line.toArray(String[]::new));
  }
}
