package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.Command;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.RegisterVolume;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.topology.BerthTopology;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A command whose row is larger than a changelog takes by default, on a real broker,")
class TooLargeIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  @DisplayName("is carried out, and so are those behind it")
  void goesOn() throws ExecutionException, InterruptedException {
    Topics topics = Topics.withDefaultPrefix();
    try (TestCluster cluster = new TestCluster(directory)) {
      cluster.provision(topics);
      AppConfig config = cluster.config(topics, directory.resolve("state"), Map.of());
      try (BerthApp app = new BerthApp(config, BerthTopology::build)) {
        app.start();
        assertThat(app.awaitRunning(PATIENCE)).as(app.state().text()).isTrue();

        register(cluster, topics, "c1", "v1", "ext-1", 700_000);
        awaitResults(cluster, topics, "c1");
        register(cluster, topics, "c2", "v1", "ext-2", 700_000);
        register(cluster, topics, "c3", "v3", "ext-3", 10);
        register(cluster, topics, "c4", "v4", "ext-4", 10);

        awaitResults(cluster, topics, "c2", "c3", "c4");
      }
    }
  }

  private static void register(
      TestCluster cluster, Topics topics, String id, String volume, String external, int size)
      throws ExecutionException, InterruptedException {
    VolumeSpec spec =
        VolumeSpec.newBuilder()
            .setNamespace("default")
            .setVolume(volume)
            .setPlugin("ebs")
            .setExternalId(external)
            .setCapabilities(
                List.of(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
            .setParameters(Map.of("blob", "x".repeat(size)))
            .build();
    cluster.put(
        topics,
        Topic.COMMANDS,
        "default/" + volume,
        new Command(id, "ops", "because", Instant.EPOCH, new RegisterVolume(spec)),
        Command.class);
  }

  private static void awaitResults(TestCluster cluster, Topics topics, String... ids) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(cluster.read(topics, Topic.COMMAND_RESULTS, CommandResult.class))
                    .filteredOn(record -> record.value().getOutcome() == CommandOutcome.OK)
                    .extracting(record -> record.value().getCommandId())
                    .contains(ids));
  }
}
