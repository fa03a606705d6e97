package dev.berth.ops.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeedCommandsTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path directory = Path.of(".");

  @Test
  void aDryRunOfTheSampleSaysWhatWouldBeDone() {
    assertThat(run("feed", "trace", "--dry-run")).isEqualTo(ExitCode.OK);

    assertThat(out.toString(UTF_8))
        .containsPattern("allocs +200")
        .containsPattern("neverScheduled +18")
        .containsPattern("claims +219")
        .containsPattern("waits +36");
  }

  @Test
  void aDryRunInJsonHoldsTheCountsPerPlugin() {
    assertThat(run("feed", "trace", "--dry-run", "-o", "json")).isEqualTo(ExitCode.OK);

    assertThat(out.toString(UTF_8)).contains("\"ebs\" : 95").contains("\"unplaced\" : [ ]");
  }

  @Test
  void aTraceWithoutItsNodesIsNotUnderstood() {
    assertThat(run("feed", "trace", "--trace", "pods.csv")).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString(UTF_8))
        .contains("--trace and --nodes belong together: give both, or none");
  }

  @Test
  void aBadTraceFileIsNamedWithItsLine() throws IOException {
    Path pods = write("pods.csv", "name\np1\n");
    Path nodes = write("nodes.csv", "sn,cpu_milli,memory_mib\nn1,1,1\n");

    assertThat(
            run(
                "feed",
                "trace",
                "--dry-run",
                "--trace",
                pods.toString(),
                "--nodes",
                nodes.toString()))
        .isEqualTo(ExitCode.FAILED);

    assertThat(err.toString(UTF_8)).contains("pods.csv:1: columns 'name': there is no column");
  }

  @Test
  void aSpeedThatIsNoneIsNotUnderstood() {
    assertThat(run("feed", "trace", "--dry-run", "--speed", "fast")).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString(UTF_8))
        .contains("speed 'fast' is no number: give a factor such as 1000");
  }

  @Test
  void aDryRunOfEventsRejectsBadLinesAndChecksTheOthers() throws IOException {
    Path events =
        write(
            "events.jsonl",
            """
            {"event":"gone","alloc":"a1","volume":"v1"}
            {"event":"gone","alloc":"a1"}
            {"event":"node","node":"n1","status":"ready"}
            """);

    assertThat(run("feed", "events", events.toString(), "--dry-run")).isEqualTo(ExitCode.FAILED);

    assertThat(out.toString(UTF_8)).contains("2 events can be said, 1 line rejected");
    assertThat(err.toString(UTF_8)).contains("events.jsonl:2: volume: is missing; give a text");
  }

  @Test
  void aDryRunRefusesWhatTheRunWouldRefuse() throws IOException {
    Path events =
        write(
            "events.jsonl",
            """
            {"event":"gone","alloc":"a1","volume":"v1","index":7}
            {"event":"gone","alloc":"a1","volume":"v1"}
            {"event":"node","node":"a/b","status":"ready"}
            """);

    assertThat(run("feed", "events", events.toString(), "--dry-run")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString(UTF_8))
        .contains("events.jsonl:1: index: 7 is not used")
        .contains("events.jsonl:3: node 'a/b': holds a slash")
        .doesNotContain("events.jsonl:2");

    err.reset();
    assertThat(run("feed", "events", events.toString(), "--dry-run", "--own-index"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString(UTF_8))
        .contains("events.jsonl:2: index: is missing")
        .doesNotContain("events.jsonl:1");
  }

  @Test
  void aTraceWithoutPodsOrNodesIsRefused() throws IOException {
    String header = "name,cpu_milli,memory_mib,qos,pod_phase,deletion_time,scheduled_time\n";
    Path none = write("pods.csv", header);
    Path pods = write("some.csv", header + "p1,1,1,LS,Running,9,5\n");
    Path nodes = write("nodes.csv", "sn,cpu_milli,memory_mib\n");

    assertThat(dryRun(none, nodes)).isEqualTo(ExitCode.FAILED);
    assertThat(dryRun(pods, nodes)).isEqualTo(ExitCode.FAILED);

    assertThat(err.toString(UTF_8))
        .contains("pods.csv: holds no pod; give one line for each")
        .contains("nodes.csv: holds no node; give one line for each");
  }

  @Test
  void aFeedThatCannotBeASchedulerIsNotUnderstoodWithoutOne() {
    assertThat(run("feed", "trace", "--dry-run", "--feed", "a/b")).isEqualTo(ExitCode.USAGE);
    assertThat(run("feed", "trace", "--dry-run", "--feed", "a/b", "--scheduler", "east"))
        .isEqualTo(ExitCode.OK);

    assertThat(err.toString(UTF_8)).contains("feed 'a/b': holds a slash");
  }

  @Test
  void theHelpTellsOfListsAndThatAnswersAreNotWaitedFor() {
    assertThat(run("feed", "events", "--help")).isEqualTo(ExitCode.OK);

    assertThat(out.toString(UTF_8))
        .contains("gone, node, live.")
        .contains("Berth's answers to claims are not waited for");
  }

  @Test
  void aMissingFileIsNamed() {
    assertThat(run("feed", "events", "nowhere.jsonl", "--dry-run")).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString(UTF_8)).contains("nowhere.jsonl does not exist; give another path");
  }

  private int dryRun(Path pods, Path nodes) {
    return run(
        "feed", "trace", "--dry-run", "--trace", pods.toString(), "--nodes", nodes.toString());
  }

  private int run(String... args) {
    return BerthCommand.run(
        Terminal.plain(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)), args);
  }

  private Path write(String name, String content) throws IOException {
    return Files.write(directory.resolve(name), content.getBytes(UTF_8));
  }
}
