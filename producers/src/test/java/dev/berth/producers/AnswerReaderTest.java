package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.serde.AvroSerde;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;

class AnswerReaderTest {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String TOPIC = "berth.command-results";

  private final FakeClock clock = new FakeClock("2026-01-01T00:00:00Z");
  private final Registry registry =
      Registry.connect(Map.of(RegistryConfig.URL, "mock://answer-reader-test"));
  private final AnswerTopic topic = new AnswerTopic(TOPIC, 2);
  private final List<String> received = new CopyOnWriteArrayList<>();

  @Test
  void readsAllPartitionsFromTheirEnds() {
    try (var reader = reader(deserializer())) {
      add(0, "c1");
      add(1, "c2");

      awaitReceived(reader, "c1", "c2");
    }
    assertThat(topic.consumer().closed()).isTrue();
  }

  @Test
  void passesOverWhatIsNoAnswer() {
    try (var reader = reader(deserializer())) {
      topic.add(0, "broken", new byte[] {1, 2, 3});
      add(0, "c1");

      awaitReceived(reader, "c1");
    }
  }

  @Test
  void waitsForTheRegistryInsteadOfLosingAnAnswer() {
    AtomicInteger asked = new AtomicInteger();
    Deserializer<CommandResult> flaky =
        (name, data) -> {
          if (asked.getAndIncrement() == 0) {
            throw new RegistryUnavailableException("down", new IllegalStateException("down"));
          }
          return deserializer().deserialize(name, data);
        };
    try (var reader = reader(flaky)) {
      add(0, "c1");

      awaitReceived(reader, "c1");
    }
  }

  @Test
  void goesOnAfterAFailedPoll() {
    try (var reader = reader(deserializer())) {
      topic.consumer().setPollException(new KafkaException("passing"));
      add(0, "c1");

      awaitReceived(reader, "c1");
    }
  }

  @Test
  void takesPartitionsThatAreAddedLater() {
    try (var reader = reader(deserializer())) {
      topic.grow(3);
      clock.advance(Duration.ofMinutes(2));
      await().atMost(SOON).until(() -> topic.consumer().assignment().size() == 3);
      add(2, "c1");

      awaitReceived(reader, "c1");
    }
  }

  private AnswerReader<CommandResult> reader(Deserializer<CommandResult> deserializer) {
    return new AnswerReader<>(
        topic.consumer(),
        TOPIC,
        deserializer,
        result -> received.add(result.getCommandId()),
        clock,
        "test-answers");
  }

  private Deserializer<CommandResult> deserializer() {
    return AvroSerde.of(registry, CommandResult.class).deserializer();
  }

  private void add(int partition, String commandId) {
    topic.add(
        partition,
        commandId,
        new CommandResult(
            commandId,
            "op",
            "",
            "FenceNode",
            "n1",
            CommandOutcome.OK,
            null,
            "done",
            Instant.parse("2026-01-01T00:00:00Z")),
        registry,
        CommandResult.class);
  }

  private void awaitReceived(AnswerReader<CommandResult> reader, String... ids) {
    assertThat(reader).isNotNull();
    await().atMost(SOON).untilAsserted(() -> assertThat(received).containsExactly(ids));
  }
}
