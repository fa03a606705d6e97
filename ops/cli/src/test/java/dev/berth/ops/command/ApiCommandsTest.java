package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.Cause;
import dev.berth.proto.api.ListStuckRequest;
import dev.berth.proto.api.Pause;
import dev.berth.proto.api.Plugin;
import dev.berth.proto.api.PluginInstance;
import dev.berth.proto.api.PluginLanes;
import dev.berth.proto.api.Position;
import dev.berth.proto.api.ReadOptions;
import dev.berth.proto.api.Stuck;
import dev.berth.proto.api.Synced;
import dev.berth.proto.api.WatchStuckResponse;
import dev.berth.proto.api.WhyClaimResponse;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

class ApiCommandsTest {
  private final FakeBerth berth = new FakeBerth();
  private final Limited out = new Limited();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @AfterEach
  void close() {
    berth.close();
  }

  @Test
  @DisplayName("a list is read through all its pages, and fits 100 columns")
  void list() {
    berth.stuck.add(ApiAnswers.stuck("db", "a1"));
    berth.stuck.add(ApiAnswers.stuck("x".repeat(80), "alloc-" + "y".repeat(60)));
    assertThat(run("stuck list --code controller-error")).isEqualTo(ExitCode.OK);
    assertThat(output(out).lines())
        .hasSize(3)
        .contains(
            "VOLUME                   ALLOC                     NODE  STEP    CODE             "
                + " TRIES  FOR  RETRY",
            "prod/db                  a1                        n1    detach  controller-error  4  "
                + "    12m  in 4m")
        .allMatch(line -> line.length() <= 100, "fits");
    assertThat(berth.asked)
        .first()
        .isEqualTo(
            ListStuckRequest.newBuilder()
                .setCode("controller-error")
                .setPageSize(500)
                .setOptions(ReadOptions.getDefaultInstance())
                .build());
    assertThat(berth.asked).hasSize(2);
  }

  @Test
  @DisplayName("wide cuts nothing and tells what the plugin said")
  void wide() {
    berth.stuck.add(ApiAnswers.stuck("x".repeat(80), "a1"));
    assertThat(run("stuck list -o wide")).isEqualTo(ExitCode.OK);
    assertThat(output(out))
        .contains("x".repeat(80), "PERMISSION_DENIED", "no permission to detach vol-db from i-1");
  }

  @Test
  @DisplayName("an empty list says so, and is an empty list in JSON")
  void empty() {
    assertThat(run("stuck list")).isEqualTo(ExitCode.OK);
    assertThat(output(out)).isEqualTo("No stuck claims.\n");
    out.reset();
    assertThat(run("stuck list -o json")).isEqualTo(ExitCode.OK);
    assertThat(output(out)).isEqualTo("[ ]\n");
  }

  @Test
  @DisplayName("JSON has the fields of the API, moments as text and the domain's words")
  void json() throws JsonProcessingException {
    berth.claims.add(ApiAnswers.ending("db", "a1"));
    assertThat(run("claim list -o json")).isEqualTo(ExitCode.OK);
    JsonNode claim = new ObjectMapper().readTree(output(out)).get(0);
    assertThat(claim.get("ref").toString()).isEqualTo("{\"namespace\":\"prod\",\"volume\":\"db\"}");
    assertThat(claim.get("state").asText()).isEqualTo("node-detached");
    assertThat(claim.get("mode").asText()).isEqualTo("write");
    assertThat(claim.get("stateSince").asText()).isEqualTo("2026-03-01T09:48:00Z");
    assertThat(claim.get("generation").asLong()).isEqualTo(7);
    assertThat(claim.get("hold").get("attempts").asInt()).isEqualTo(4);
    assertThat(claim.get("heldBy")).isEmpty();
    assertThat(claim.has("call")).isFalse();
  }

  @Test
  @DisplayName("YAML says the same as JSON")
  void yaml() throws JsonProcessingException {
    berth.volumes.add(ApiAnswers.volume("db"));
    assertThat(run("volume list -o json")).isEqualTo(ExitCode.OK);
    Object json = new ObjectMapper().readValue(output(out), Object.class);
    out.reset();
    assertThat(run("volume list -o yaml")).isEqualTo(ExitCode.OK);
    assertThat(new Yaml().<Object>load(output(out)).toString()).isEqualTo(json.toString());
    assertThat(output(out)).contains("  plugin: ebs\n");
  }

  @Test
  @DisplayName(
      "volume status tells on one screen who holds it, what is next, why it waits, what helps")
  void status() {
    berth.volume = ApiAnswers.status();
    assertThat(run("volume status prod/db")).isEqualTo(ExitCode.OK);
    assertThat(output(out))
        .isEqualTo(
            """
            Volume prod/db
              plugin       ebs, which calls it vol-db
              state        ready
              can be       single-node-writer file-system
              topology     region=eu zone=a
              in use as    single-node-writer file-system
              registered   2026-02-26T10:00:00Z (3d ago) by ann: new service

            On the way out
              a1           write on node n1, node-detached 12m
                claimed      2026-03-01T05:00:00Z (5h ago)
                workload     job web (service) of scheduler east, client says complete
                ended        alloc-terminal, 2026-03-01T09:47:00Z (13m ago)
                next step    detach
                held up by   controller-error (stuck), tries: 4 in 12m, the last 30s ago
                plugin said  PERMISSION_DENIED: no permission to detach vol-db from i-1
                tried again  in 4m
                remedy       See the log of plugin ebs.

            Waiting
              a2           write on node n2, waiting 10m
                claimed      2026-03-01T09:50:00Z (10m ago)
                next step    wait for capacity, held by a1

            Attached
              n1           detaching 12m, for the provider i-1, claims: 1

            What would help
              berth stuck retry prod/db
              berth stuck assume-detached prod/db n1 --reason "..."
              berth claim why prod/db a1
            """);
  }

  @Test
  @DisplayName("stuck show exits 1 when nothing is stuck")
  void nothingStuck() {
    berth.stuck.add(ApiAnswers.stuck("other", "a1"));
    assertThat(run("stuck show prod/db")).isEqualTo(ExitCode.FAILED);
    assertThat(output(err))
        .isEqualTo("berth: no stuck claim on prod/db; see berth volume status\n");
    assertThat(run("stuck show prod/other")).isEqualTo(ExitCode.OK);
    assertThat(output(out)).contains("What would help", "berth stuck retry prod/other");
  }

  @Test
  @DisplayName("claim why tells what it waits for, and each record that led there with its place")
  void why() {
    berth.why =
        WhyClaimResponse.newBuilder()
            .setClaim(ApiAnswers.waiting("db", "a2", "a1"))
            .addReasons(
                WhyClaimResponse.Reason.newBuilder()
                    .setCode("capacity")
                    .setText("the volume is held")
                    .addHeldBy("a1"))
            .addChain(
                Cause.newBuilder()
                    .setKind(Cause.Kind.KIND_OUTCOME)
                    .setAt(ApiAnswers.at(ApiAnswers.NOW))
                    .setName("PERMISSION_DENIED")
                    .setTook(com.google.protobuf.Duration.newBuilder().setSeconds(2))
                    .setText("worker w1, answered: no")
                    .setPosition(
                        Position.newBuilder()
                            .setTopic("work-outcomes")
                            .setPartition(3)
                            .setOffset(7)))
            .build();
    assertThat(run("claim why prod/db a2")).isEqualTo(ExitCode.OK);
    assertThat(output(out))
        .endsWith(
            """
            It waits for
              capacity     the volume is held
                held by      a1

            How it came there
              03-01 10:00:00.000Z  outcome   PERMISSION_DENIED after 2.0 s  work-outcomes-3@7
                                   worker w1, answered: no
            """);
  }

  @Test
  @DisplayName("plugin status tells of sick instances, pause and calls; no such plugin exits 1")
  void plugin() {
    assertThat(run("plugin status ebs")).isEqualTo(ExitCode.FAILED);
    assertThat(output(err)).isEqualTo("berth: no plugin 'ebs'; see berth plugin list\n");
    berth.plugins.add(
        Plugin.newBuilder()
            .setPlugin("ebs")
            .setControllers(1)
            .setControllerRequired(true)
            .addInstances(
                PluginInstance.newBuilder()
                    .setRole(PluginInstance.Role.ROLE_CONTROLLER)
                    .setNode("n1")
                    .setHealthText("probe: not ready")
                    .setNodeReady(true))
            .build());
    berth.lanes.add(
        PluginLanes.newBuilder()
            .setPlugin("ebs")
            .setQueued(3)
            .setPause(
                Pause.newBuilder()
                    .setAuthor("ann")
                    .setReason("upgrade")
                    .setAt(ApiAnswers.ago(java.time.Duration.ofMinutes(5))))
            .build());
    assertThat(run("plugin status ebs")).isEqualTo(ExitCode.OK);
    assertThat(output(out))
        .contains("controllers  0 of 1 well", "paused 5m ago by ann: upgrade", "0 out, 3 in line")
        .contains("controller  n1    not well: probe: not ready");
  }

  @Test
  @DisplayName(
      "stuck watch tells each claim once, also when the stream is begun anew, and who no longer is")
  void watch() {
    berth.changes.add(
        WatchStuckResponse.newBuilder().setUpdated(ApiAnswers.stuck("db", "a1")).build());
    berth.changes.add(
        WatchStuckResponse.newBuilder().setSynced(Synced.getDefaultInstance()).build());
    berth.fail(FakeBerth.notYet(10));
    assertThat(run("stuck watch")).isEqualTo(ExitCode.OK);
    assertThat(output(out))
        .isEqualTo(
            "2026-03-01T10:00:00Z  stuck  prod/db a1 on node n1: detach, controller-error:"
                + " no permission to detach vol-db from i-1\n");
    assertThat(berth.asked).hasSize(2);
    out.reset();
    berth.changes.add(
        WatchStuckResponse.newBuilder()
            .setRemoved(
                WatchStuckResponse.Removed.newBuilder().setRef(ApiAnswers.ref("db")).setAlloc("a1"))
            .build());
    assertThat(run("stuck watch -o json")).isEqualTo(ExitCode.OK);
    assertThat(output(out).lines())
        .satisfiesExactly(
            first -> assertThat(first).contains("\"change\":\"stuck\"", "\"alloc\":\"a1\""),
            second ->
                assertThat(second)
                    .isEqualTo(
                        "{\"at\":\"2026-03-01T10:00:00Z\",\"change\":\"no-longer-stuck\",\"ref\":"
                            + "{\"namespace\":\"prod\",\"volume\":\"db\"},\"alloc\":\"a1\"}"));
    out.reset();
    assertThat(run("stuck watch -o yaml")).isEqualTo(ExitCode.OK);
    List<Object> documents = new ArrayList<>();
    new Yaml().loadAll(output(out)).forEach(documents::add);
    assertThat(documents)
        .hasSize(2)
        .last()
        .isEqualTo(
            Map.of(
                "at",
                "2026-03-01T10:00:00Z",
                "change",
                "no-longer-stuck",
                "ref",
                Map.of("namespace", "prod", "volume", "db"),
                "alloc",
                "a1"));
    out.reset();
    assertThat(run("stuck watch")).isEqualTo(ExitCode.OK);
    assertThat(output(out)).endsWith("2026-03-01T10:00:00Z  no longer stuck  prod/db a1\n");
    out.reset();
    assertThat(run("stuck watch -o wide")).isEqualTo(ExitCode.OK);
    assertThat(output(out)).contains("from i-1 (plugin ebs, tries 4, PERMISSION_DENIED)\n");
  }

  @Test
  @DisplayName("stuck watch says nothing of a step where none is next")
  void stepless() {
    Stuck lost = ApiAnswers.stuck("db", "a1");
    berth.changes.add(
        WatchStuckResponse.newBuilder()
            .setUpdated(lost.toBuilder().setClaim(lost.getClaim().toBuilder().clearNextStep()))
            .build());
    assertThat(run("stuck watch")).isEqualTo(ExitCode.OK);
    assertThat(output(out)).contains("prod/db a1 on node n1: controller-error: no permission");
  }

  @Test
  @DisplayName("a watched list is shown again until nobody reads")
  void watchedList() {
    berth.volumes.add(ApiAnswers.volume("db"));
    out.limit = 400;
    assertThat(run("volume list --watch 10ms")).isEqualTo(ExitCode.OK);
    assertThat(output(out).split("prod/db", -1)).hasSizeGreaterThan(2);
    assertThat(run("volume list --watch soon")).isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains("--watch: 'soon' is no duration");
  }

  @Test
  @DisplayName("completion is a script for bash that knows the commands")
  void completion() {
    Terminal terminal = Terminal.plain(new PrintStream(out), new PrintStream(err));
    assertThat(BerthCommand.run(terminal, "completion")).isEqualTo(ExitCode.OK);
    assertThat(output(out)).startsWith("#!/usr/bin/env bash").contains("assume-detached");
  }

  @Test
  @DisplayName("an instance that can answer soon is asked again, and the wait is told")
  void soon() {
    berth.fail(FakeBerth.notYet(60));
    berth.fail(FakeBerth.notYet(0));
    berth.volumes.add(ApiAnswers.volume("db"));
    assertThat(run("volume list")).isEqualTo(ExitCode.OK);
    assertThat(output(err)).contains("waiting for the API: partition 1 is restored");
    assertThat(output(out)).contains("prod/db");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NOT_FOUND         | volume 'prod/db' is not registered; see berth volume list
          INVALID_ARGUMENT  | page_token=x: no token; leave it empty
          UNIMPLEMENTED     | does not have this call: update that instance
          PERMISSION_DENIED | refuses this call: not yours; it needs another role or namespace
          INTERNAL          | failed (INTERNAL): broken; the log of that instance says more
          """)
  @DisplayName("a failure is a sentence with its remedy that fits 100 columns, and exit code 1")
  void failures(Status.Code code, String said) {
    String words = code == Status.Code.PERMISSION_DENIED ? "not yours" : said;
    berth.fail(
        Status.fromCode(code)
            .withDescription(code == Status.Code.INTERNAL ? "broken" : words)
            .asRuntimeException());
    assertThat(run("volume status prod/db")).isEqualTo(ExitCode.FAILED);
    assertThat(output(err).replaceAll("\\s+", " "))
        .contains(said)
        .startsWith("berth: ")
        .doesNotContain("Exception");
    assertThat(output(err).lines()).allMatch(line -> line.length() <= 100, "fits");
    assertThat(output(out)).isEmpty();
  }

  @Test
  @DisplayName("nobody there is said with how to name an instance")
  void nobody() {
    String address = berth.address();
    berth.close();
    assertThat(run("volume list")).isEqualTo(ExitCode.FAILED);
    assertThat(output(err).lines()).allMatch(line -> line.length() <= 100, "fits");
    assertThat(output(err).replaceAll("\\s+", " "))
        .contains("no answer from the API at " + address, "Connection refused", "--api HOST:PORT");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          volume status db               | 'db' lacks its namespace: write NAMESPACE/VOLUME
          volume status                  | Missing required parameter: 'NAMESPACE/VOLUME'
          volume list -o xml             | 'xml' is not text or wide or json or yaml
          volume list --timeout soon     | --timeout: 'soon' is no duration: write 30s or 2m
          """)
  @DisplayName("a command line that is not understood exits 2")
  void usage(String line, String said) {
    assertThat(run(line)).isEqualTo(ExitCode.USAGE);
    // What is longer than a line goes on in the next.
    assertThat(output(err).replaceAll("\\s+", " ")).contains(said);
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
    Terminal terminal =
        Terminal.plain(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    List<String> words = new ArrayList<>(List.of(line.split(" +", -1)));
    words.addAll(List.of("--api", berth.address()));
    return BerthCommand.commandLine(
            terminal,
            Clock.fixed(ApiAnswers.NOW, ZoneOffset.UTC),
            text -> java.util.Optional.empty())
        .execute(words.toArray(String[]::new));
  }

  private static String output(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
