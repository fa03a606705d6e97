package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackConfig;
import dev.berth.ops.stack.StackPlugin;
import dev.berth.ops.topics.RowsLeft;
import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.FeedPositions;
import dev.berth.producers.SchedulerConfig;
import dev.berth.producers.trace.Trace;
import dev.berth.producers.trace.TraceAlloc;
import dev.berth.producers.trace.TracePlan;
import dev.berth.producers.trace.TracePlugins;
import dev.berth.records.AllocEvent;
import dev.berth.records.FeedPosition;
import dev.berth.schemas.topics.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A feed of its own process, to the real application")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class FeedCommandsIT {
  private static final int EVENTS = 600;
  private static final TracePlan PLAN = TracePlan.of(Trace.sample(), TracePlugins.usual());
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private static Path temp;
  private static EmbeddedStack stack;

  @BeforeAll
  static void start() throws InterruptedException {
    StackConfig usual = StackConfig.in(temp.resolve("data")).withScheduler("trace");
    stack =
        EmbeddedStack.start(
            usual
                .withNodes(
                    PLAN.nodes(),
                    usual.plugins().stream()
                        .collect(Collectors.toMap(StackPlugin::id, plugin -> PLAN.nodes())))
                .withPlugins(
                    usual.plugins().stream()
                        .map(plugin -> plugin.withMaxVolumes(PLAN.volumes().size()))
                        .toList()),
            Clock.systemUTC(),
            step -> {});
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  @DisplayName("killed in the middle, twice, says every event once and in order")
  void killed() throws Exception {
    List<String> allocs = IntStream.range(0, EVENTS).mapToObj("a%04d"::formatted).toList();
    Path file = events("killed.jsonl", allocs);
    for (int kill = 1; kill <= 2; kill++) {
      long enough = (long) kill * EVENTS / 4;
      try (BerthProcess feed = feed(file, "killed", "--rate", "150")) {
        await().atMost(PATIENCE).until(() -> position("killed") >= enough || !feed.isAlive());
        assertThat(feed.isAlive()).as("killed while it runs: %s", feed.printed()).isTrue();
      }
    }
    long before = position("killed");
    assertThat(before).isBetween(EVENTS / 2L, EVENTS - 1L);

    try (BerthProcess feed = feed(file, "killed")) {
      assertThat(feed.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(feed.printed()).contains("lines before");
    }
    assertThat(position("killed")).isEqualTo(EVENTS);
    assertThat(said("killed")).isEqualTo(allocs);

    try (BerthProcess feed = feed(file, "killed")) {
      assertThat(feed.exitCode()).isEqualTo(ExitCode.OK);
    }
    assertThat(said("killed")).as("said again").isEqualTo(allocs);
  }

  @Test
  @DisplayName("rejects what it cannot use with file and line, says the rest and exits 1")
  void rejects() throws Exception {
    Path file = events("slips.jsonl", List.of("b1", "b2"));
    Files.writeString(
        file, Files.readString(file) + "{\"event\":\"claim\",\"alloc\":\"b3\",\"nod\":\"n1\"}\n");
    Files.writeString(file, Files.readString(file) + line("b4"));

    try (BerthProcess feed = feed(file, "slips")) {
      assertThat(feed.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(feed.printed()).contains(file + ":3:").contains("nod");
    }
    assertThat(said("slips")).containsExactly("b1", "b2", "b4");
  }

  @Test
  @DisplayName("replays the sample with its own registrations, killed in the middle, to its end")
  void trace() throws Exception {
    try (BerthProcess feed = feedTrace("--register")) {
      await().atMost(PATIENCE).until(() -> position("trace") >= 40 || !feed.isAlive());
      assertThat(feed.isAlive()).as("killed while it runs: %s", feed.printed()).isTrue();
    }

    try (BerthProcess feed = feedTrace()) {
      assertThat(feed.exitCode()).as(feed.printed()).isEqualTo(ExitCode.OK);
      assertThat(feed.printed()).containsPattern("rejectedClaims +0");
    }

    Set<String> claimed = new TreeSet<>(said("trace"));
    assertThat(claimed)
        .isEqualTo(PLAN.allocs().stream().map(TraceAlloc::id).collect(Collectors.toSet()));
    try (RowsLeft claims = new RowsLeft(stack.connection(), Topic.CLAIMS)) {
      claims.awaitNone(PATIENCE);
    }
  }

  // ---- words of the tests

  private static Path events(String name, List<String> allocs) throws IOException {
    StringBuilder lines = new StringBuilder();
    allocs.forEach(alloc -> lines.append(line(alloc)));
    return Files.writeString(temp.resolve(name), lines);
  }

  /** Of no volume that exists: what is asked here is only what is said, not what is answered. */
  private static String line(String alloc) {
    return """
    {"event":"claim","alloc":"%s","node":"n1","volume":"none","mode":"read","access":"single-node-reader"}
    """
        .formatted(alloc);
  }

  private static BerthProcess feedTrace(String... options) {
    List<String> line = new ArrayList<>(List.of("feed", "trace"));
    line.addAll(List.of(options));
    line.addAll(
        List.of(
            "--bootstrap-servers", stack.bootstrapServers(), "--registry", stack.registryUrl()));
    return BerthProcess.run(temp.resolve("trace-" + System.nanoTime() + ".out"), line);
  }

  /** The feed's id is that of its scheduler too. */
  private BerthProcess feed(Path file, String id, String... options) {
    List<String> line = new ArrayList<>(List.of("feed", "events", file.toString()));
    line.addAll(List.of("--feed", id, "--scheduler", id));
    line.addAll(
        List.of(
            "--bootstrap-servers", stack.bootstrapServers(), "--registry", stack.registryUrl()));
    line.addAll(List.of(options));
    return BerthProcess.run(temp.resolve(id + "-" + System.nanoTime() + ".out"), line);
  }

  private static long position(String feed) {
    return FeedPositions.read(SchedulerConfig.of(feed, stack.connection()), feed)
        .map(FeedPosition::getPosition)
        .orElse(0L);
  }

  /** Allocs of the events that a scheduler has said, as readers of committed records see them. */
  private static List<String> said(String scheduler) {
    List<String> allocs = new ArrayList<>();
    try (TopicContent content = new TopicContent(stack.connection())) {
      content.records(Topic.ALLOC_EVENTS, AllocEvent.class).stream()
          .flatMap(entry -> entry.value().stream())
          .filter(event -> event.getScheduler().equals(scheduler))
          .forEach(event -> allocs.add(event.getAlloc()));
    }
    return allocs;
  }
}
