package dev.berth.ops.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.Alloc;
import dev.berth.producers.Author;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.Commands;
import dev.berth.producers.LiveAllocs;
import dev.berth.producers.ReconcileReport;
import dev.berth.producers.Reconciler;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.producers.VolumeUse;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.Claim;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClientStatus;
import dev.berth.records.CommandOutcome;
import dev.berth.records.DesiredStatus;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.topics.Topic;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Reconciling against the real application")
class ReconcilerIT {

  private static final Duration SOON = Duration.ofMinutes(2);

  @TempDir private static Path temp;

  private EmbeddedStack stack;
  private Scheduler east;
  private Scheduler west;

  @BeforeEach
  void start() throws InterruptedException {
    stack =
        EmbeddedStack.start(
            StackConfig.in(temp.resolve("data"))
                .withNodes(1)
                .withPlugins(
                    StackPlugin.usual().stream()
                        .filter(plugin -> plugin.id().equals(StackPlugin.NFS))
                        .toList()),
            Clock.systemUTC(),
            step -> {});
    east = Scheduler.start(SchedulerConfig.of("east", stack.connection()));
    west = Scheduler.start(SchedulerConfig.of("west", stack.connection()));
  }

  @AfterEach
  void stop() {
    east.close();
    west.close();
    stack.close();
  }

  @Test
  @Timeout(value = 8, unit = TimeUnit.MINUTES)
  @DisplayName(
      "ends claims of allocs that its scheduler no longer knows, and no other: neither another"
          + " scheduler's, nor one taken or made again after the list was begun")
  void ends() throws Exception {
    register("v-alive", "v-dead", "v-west", "v-late", "v-again", "v-leaving");
    grant(east, "alive", "v-alive");
    grant(east, "dead", "v-dead");
    grant(west, "dead", "v-west");
    grant(east, "again", "v-again");
    AtomicLong second = new AtomicLong();
    grant(east, "leaving", "v-leaving");
    say(east.alloc(of("leaving", "v-leaving"), ClientStatus.COMPLETE, DesiredStatus.STOP));
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(claims().get("ns/v-leaving/leaving")).startsWith("UNPUB"));

    ReconcileReport report =
        Reconciler.of(
                east,
                () -> {
                  grant(east, "late", "v-late");
                  say(east.unmounted(of("again", "v-again")));
                  await().atMost(SOON).until(() -> !claims().containsKey("ns/v-again/again"));
                  second.set(grant(east, "again", "v-again").getClaimGeneration());
                  return LiveAllocs.of(List.of("alive"));
                })
            .reconcile();

    assertThat(List.of(report.rows(), report.own(), report.gone(), report.leaving()))
        .containsExactly(5L, 4L, 2L, 1L);
    // Their node steps are the clients'. What is said after the run is also heard after it.
    say(east.unmounted(of("dead", "v-dead")));
    say(east.unmounted(of("leaving", "v-leaving")));
    await().atMost(SOON).until(() -> !claims().containsKey("ns/v-dead/dead"));
    say(east.alloc(of("again", "v-again"), ClientStatus.RUNNING, DesiredStatus.RUN));
    await().atMost(SOON).until(() -> client("ns/v-again/again") == ClientStatus.RUNNING);
    Map<String, String> left =
        new TreeMap<>(
            Map.of(
                "ns/v-alive/alive", "TAKEN 1",
                "ns/v-west/dead", "TAKEN 1",
                "ns/v-late/late", "TAKEN 1",
                "ns/v-again/again", "TAKEN " + second));
    assertThat(second.get()).isGreaterThan(1);
    await().atMost(SOON).untilAsserted(() -> assertThat(claims()).isEqualTo(left));
  }

  private ClientStatus client(String key) {
    try (TopicContent content = new TopicContent(stack.connection())) {
      return content.table(Topic.CLAIMS, Claim.class).get(key).getClient();
    }
  }

  /** State and generation by key. */
  private Map<String, String> claims() {
    Map<String, String> claims = new TreeMap<>();
    try (TopicContent content = new TopicContent(stack.connection())) {
      content
          .table(Topic.CLAIMS, Claim.class)
          .forEach((key, claim) -> claims.put(key, claim.getState() + " " + claim.getGeneration()));
    }
    return claims;
  }

  private static ClaimReply grant(Scheduler scheduler, String alloc, String volume)
      throws Exception {
    ClaimReply reply =
        scheduler
            .claim(
                ClaimRequest.write(alloc, "n1", "ns", volume, AccessMode.SINGLE_NODE_WRITER)
                    .build())
            .get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(reply.getOutcome()).as(reply.getMessage()).isEqualTo(ReplyOutcome.GRANTED);
    return reply;
  }

  private void register(String... volumes) throws Exception {
    try (Commands commands = Commands.start(stack.connection())) {
      for (String volume : volumes) {
        VolumeSpec spec =
            VolumeSpec.newBuilder()
                .setNamespace("ns")
                .setVolume(volume)
                .setPlugin(StackPlugin.NFS)
                .setExternalId("ext-" + volume)
                .setCapabilities(
                    List.of(
                        new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
                .build();
        assertThat(
                commands
                    .registerVolume(spec, Author.of("test"))
                    .get(SOON.toSeconds(), TimeUnit.SECONDS)
                    .getOutcome())
            .isEqualTo(CommandOutcome.OK);
      }
    }
  }

  private static void say(CompletableFuture<Void> written) throws Exception {
    written.get(SOON.toSeconds(), TimeUnit.SECONDS);
  }

  private static Alloc of(String alloc, String volume) {
    return Alloc.of(alloc, VolumeUse.of("ns", volume));
  }
}
