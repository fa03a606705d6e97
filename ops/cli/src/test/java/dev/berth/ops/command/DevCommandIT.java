package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.Alloc;
import dev.berth.producers.Author;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.Commands;
import dev.berth.producers.Connection;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.producers.VolumeUse;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.Claim;
import dev.berth.records.ClaimState;
import dev.berth.records.ClientStatus;
import dev.berth.records.CommandOutcome;
import dev.berth.records.DesiredStatus;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.topics.Topic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class DevCommandIT {

  private static final Duration TO_START = Duration.ofMinutes(2);

  @TempDir private Path temp;

  @Test
  @Timeout(value = 6, unit = TimeUnit.MINUTES)
  @DisplayName("a claim outlives a stop and a start, and goes on to its release after them")
  void keepsClaims() throws Exception {
    Path data = temp.resolve("data");
    try (BerthProcess dev = started(data, "first")) {
      claim(connection(dev));
      assertThat(metrics(dev, "of the worker"))
          .contains("berth_rpc_seconds_count{answered=\"true\",code=\"OK\"", "\nberth_ready 1.0\n");
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(metrics(dev, "health"))
                      .contains("berth_claims{namespace=\"ns\"", "\nberth_ready 1.0\n"));
      assertThat(berth(dev, "topics", "read", "claims", "--limit", "1", "-o", "json"))
          .contains("\"key\":\"ns/vol/alloc\"", "\"alloc\":\"alloc\"");
      try (BerthProcess second =
          BerthProcess.dev(data, temp.resolve("second"), temp.resolve("second.tmp"))) {
        assertThat(second.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(second.printed().replaceAll("\\s+", " "))
            .contains("data directory " + data + " is in use by process " + dev.pid())
            .doesNotContain("Stopped");
      }
      assertThat(dev.stop()).isEqualTo(ExitCode.OK);
      assertThat(dev.printed()).endsWith("Stopped.\n");
      assertThat(temp.resolve("first.tmp")).as("temporary files").isEmptyDirectory();
      assertThat(data.resolve("calls.jsonl"))
          .content()
          .contains("ControllerPublishVolume")
          .doesNotContain("Probe", "GetPluginInfo", "GetCapabilities");
      assertThat(data.resolve("berth.log"))
          .content()
          .as("warnings of every ordinary start and stop")
          .doesNotContain(
              "metadata log appears to be empty", "GlobalThread", "already been closed");
    }
    try (BerthProcess dev = started(data, "third")) {
      Connection connection = connection(dev);
      assertThat(claims(connection)).containsOnly(Map.entry("ns/vol/alloc", ClaimState.TAKEN));
      try (Scheduler scheduler = Scheduler.start(SchedulerConfig.of("dev", connection))) {
        scheduler
            .alloc(
                Alloc.of("alloc", VolumeUse.of("ns", "vol")),
                ClientStatus.COMPLETE,
                DesiredStatus.RUN)
            .get(30, TimeUnit.SECONDS);
        await().atMost(Duration.ofMinutes(1)).until(() -> claims(connection).isEmpty());
        assertThat(berth(dev, "topics", "read", "berth.claims")).endsWith("  ns/vol/alloc  null\n");
      }
      assertThat(dev.stop()).isEqualTo(ExitCode.OK);
    }
  }

  /** What a part of the stack shows at the port that the guide names. */
  private static String metrics(BerthProcess dev, String row)
      throws IOException, InterruptedException {
    Matcher url =
        Pattern.compile("^ *" + row + " +(http://\\S+)/health", Pattern.MULTILINE)
            .matcher(dev.printed());
    assertThat(url.find()).as(dev.printed()).isTrue();
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url.group(1) + "/metrics")).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private BerthProcess started(Path data, String output) {
    BerthProcess dev = BerthProcess.dev(data, temp.resolve(output), temp.resolve(output + ".tmp"));
    await()
        .atMost(TO_START)
        .until(() -> dev.printed().contains("Ctrl-C stops it") || !dev.isAlive());
    assertThat(dev.isAlive()).as(dev.printed()).isTrue();
    return dev;
  }

  /** What a command prints that reaches the stack of another process. */
  private static String berth(BerthProcess dev, String... command) {
    List<String> args = new ArrayList<>(List.of(command));
    args.addAll(List.of("--bootstrap-servers", dev.value("bootstrap servers")));
    args.addAll(List.of("--registry", dev.value("schema registry")));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
    assertThat(BerthCommand.run(Terminal.plain(stream, stream), args.toArray(String[]::new)))
        .as(printed.toString(StandardCharsets.UTF_8))
        .isEqualTo(ExitCode.OK);
    return printed.toString(StandardCharsets.UTF_8);
  }

  private static Connection connection(BerthProcess dev) {
    return Connection.to(dev.value("bootstrap servers"), dev.value("schema registry"));
  }

  private static void claim(Connection connection) throws Exception {
    try (Commands commands = Commands.start(connection);
        Scheduler scheduler = Scheduler.start(SchedulerConfig.of("dev", connection))) {
      VolumeSpec volume =
          VolumeSpec.newBuilder()
              .setNamespace("ns")
              .setVolume("vol")
              .setPlugin("ebs")
              .setExternalId("vol-1")
              .setCapabilities(
                  List.of(
                      new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
              .build();
      assertThat(
              commands
                  .registerVolume(volume, Author.of("test"))
                  .get(30, TimeUnit.SECONDS)
                  .getOutcome())
          .isEqualTo(CommandOutcome.OK);
      ClaimRequest request =
          ClaimRequest.write("alloc", "n2", "ns", "vol", AccessMode.SINGLE_NODE_WRITER).build();
      assertThat(scheduler.claim(request).get(60, TimeUnit.SECONDS).getOutcome())
          .isEqualTo(ReplyOutcome.GRANTED);
    }
  }

  private static Map<String, ClaimState> claims(Connection connection) {
    try (TopicContent content = new TopicContent(connection)) {
      Map<String, Claim> table = content.table(Topic.CLAIMS, Claim.class);
      return table.entrySet().stream()
          .collect(
              java.util.stream.Collectors.toMap(Map.Entry::getKey, e -> e.getValue().getState()));
    }
  }
}
