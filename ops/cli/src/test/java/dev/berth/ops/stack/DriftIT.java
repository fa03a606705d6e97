package dev.berth.ops.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.driver.provider.Attachment;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.Usage;
import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.Author;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.Commands;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.proto.csi.VolumeCapability;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.ClaimReply;
import dev.berth.records.CommandOutcome;
import dev.berth.records.DriftFinding;
import dev.berth.records.DriftKind;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.topics.Topic;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Drift between the claims and what the provider lists")
class DriftIT {

  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String NODE = StackConfig.externalNode("n1");

  @TempDir private static Path temp;

  private EmbeddedStack stack;
  private Scheduler scheduler;
  private Provider provider;

  @BeforeEach
  void start() throws InterruptedException {
    stack =
        EmbeddedStack.start(
            StackConfig.in(temp.resolve("data"))
                .withNodes(1)
                .withListingInterval(Duration.ofSeconds(2))
                .withPlugins(
                    StackPlugin.usual().stream()
                        .filter(plugin -> plugin.id().equals(StackPlugin.GCE))
                        .toList()),
            Clock.systemUTC(),
            step -> {});
    scheduler = Scheduler.start(SchedulerConfig.of("dev", stack.connection()));
    provider = stack.providers().get(StackPlugin.GCE);
  }

  @AfterEach
  void stop() {
    scheduler.close();
    stack.close();
  }

  @Test
  @Timeout(value = 8, unit = TimeUnit.MINUTES)
  @DisplayName(
      "is found, and mended where the attachment is ours: what was detached behind our back is"
          + " attached again, what somebody else attached is reported and left alone")
  void isFound() throws Exception {
    register("v-ours");
    register("v-foreign");
    grant("v-ours");
    await().atMost(SOON).until(() -> provider.attachments().size() == 1);

    provider.detachBehindTheBack("ext-v-ours", NODE);
    provider.publish(
        "ext-v-foreign",
        NODE,
        new Usage(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER, false, false));

    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(findings())
                    .extracting(DriftFinding::getKind, f -> f.getVolumeKey().orElse(""))
                    .containsExactlyInAnyOrder(
                        tuple(DriftKind.MISSING, "ns/v-ours"),
                        tuple(DriftKind.DANGLING, "ns/v-foreign")));
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(provider.attachments())
                    .extracting(Attachment::volume)
                    .containsExactlyInAnyOrder("ext-v-ours", "ext-v-foreign"));
  }

  private List<DriftFinding> findings() {
    try (TopicContent content = new TopicContent(stack.connection())) {
      return content.records(Topic.DRIFT_FINDINGS, DriftFinding.class).stream()
          .flatMap(entry -> entry.value().stream())
          .toList();
    }
  }

  private void grant(String volume) throws Exception {
    ClaimReply reply =
        scheduler
            .claim(
                ClaimRequest.write("a1", "n1", "ns", volume, AccessMode.SINGLE_NODE_WRITER).build())
            .get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(reply.getOutcome()).as(reply.getMessage()).isEqualTo(ReplyOutcome.GRANTED);
  }

  private void register(String volume) throws Exception {
    VolumeSpec spec =
        VolumeSpec.newBuilder()
            .setNamespace("ns")
            .setVolume(volume)
            .setPlugin(StackPlugin.GCE)
            .setExternalId("ext-" + volume)
            .setCapabilities(
                List.of(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
            .build();
    try (Commands commands = Commands.start(stack.connection())) {
      assertThat(
              commands
                  .registerVolume(spec, Author.of("test"))
                  .get(SOON.toSeconds(), TimeUnit.SECONDS)
                  .getOutcome())
          .isEqualTo(CommandOutcome.OK);
    }
  }
}
