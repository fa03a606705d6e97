package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.Command;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.FenceNode;
import dev.berth.records.RegisterVolume;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.serde.AvroSerde;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommandsTest {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Author OPERATOR = Author.of("op", "maintenance");

  private final FakeClock clock = new FakeClock("2026-01-01T00:00:00Z");
  private final Registry registry =
      Registry.connect(Map.of(RegistryConfig.URL, "mock://commands-test"));
  private final MockProducer<String, byte[]> producer =
      new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
  private final AnswerTopic results = new AnswerTopic("berth.command-results", 2);
  private final Commands commands =
      new Commands(
          Connection.to("nowhere:1", "mock://commands-test"),
          registry,
          producer,
          results.consumer(),
          clock);

  @AfterEach
  void close() {
    commands.close();
  }

  @Test
  void aCommandCompletesWithItsResult() {
    CompletableFuture<CommandResult> fence = commands.fence("n1", OPERATOR);
    Command sent = sent(0);

    CommandResult result = result(sent.getCommandId(), CommandOutcome.REFUSED);
    results.add(1, sent.getCommandId(), result, registry, CommandResult.class);

    assertThat(sent)
        .isEqualTo(
            new Command(
                sent.getCommandId(),
                "op",
                "maintenance",
                Instant.parse("2026-01-01T00:00:00Z"),
                new FenceNode("n1")));
    assertThat(fence).succeedsWithin(SOON).isEqualTo(result);
  }

  @Test
  void commandsAreKeyedByWhatTheyConcern() {
    List<CompletableFuture<CommandResult>> open =
        List.of(
            commands.registerVolume(spec("v1", "${file:/run/x}"), OPERATOR),
            commands.deregisterVolume("default", "v1", true, OPERATOR),
            commands.detach("default", "v1", "n1", OPERATOR),
            commands.retry("default", "v1", Optional.of("a1"), OPERATOR),
            commands.assumeDetached("default", "v1", "n1", OPERATOR),
            commands.unblock("default", "v1", OPERATOR),
            commands.fence("n1", OPERATOR),
            commands.unfence("n1", OPERATOR),
            commands.pause("ebs", OPERATOR),
            commands.resume("ebs", OPERATOR),
            commands.collectGarbage(OPERATOR));

    assertThat(open).allSatisfy(result -> assertThat(result).isNotDone());
    assertThat(producer.history())
        .extracting(ProducerRecord::key)
        .containsExactly(
            "default/v1",
            "default/v1",
            "default/v1",
            "default/v1",
            "default/v1",
            "default/v1",
            "n1",
            "n1",
            "ebs",
            "ebs",
            "gc");
    assertThat(producer.history()).allMatch(record -> record.topic().equals("berth.commands"));
  }

  @Test
  void aSecretInPlaceOfAReferenceIsRefusedAndNotShown() {
    assertThatThrownBy(() -> commands.registerVolume(spec("v1", "hunter2"), OPERATOR))
        .isInstanceOf(InvalidEventException.class)
        .hasMessageStartingWith("secrets.token is not a reference")
        .hasMessageNotContaining("hunter2");
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void aVolumeWithoutCapabilitiesIsRefused() {
    VolumeSpec spec = spec("v1", "${file:/run/x}");
    VolumeSpec without = VolumeSpec.newBuilder(spec).setCapabilities(List.of()).build();

    assertThatThrownBy(() -> commands.registerVolume(without, OPERATOR))
        .hasMessageStartingWith("capabilities are none");
  }

  @Test
  void whoeverOverridesBerthMustSayWhy() {
    assertThatThrownBy(() -> commands.fence("n1", Author.of("op")))
        .hasMessageStartingWith("reason is empty");
    assertThatThrownBy(() -> commands.assumeDetached("default", "v1", "n1", Author.of("op", " ")))
        .hasMessageStartingWith("reason is empty");
  }

  @Test
  void aRegistrationLargerThanATopicTakesIsRefused() {
    VolumeSpec large =
        VolumeSpec.newBuilder(spec("v1", "${file:/run/x}"))
            .setContext(Map.of("blob", "x".repeat(1_000_000)))
            .build();

    assertThatThrownBy(() -> commands.registerVolume(large, OPERATOR))
        .isInstanceOf(InvalidEventException.class)
        .hasMessageContaining("900000 are allowed");
  }

  @Test
  void somethingThatIsNoCommandIsRefused() {
    Command odd = new Command("c1", "op", "", clock.instant(), new CommandResult());

    assertThatThrownBy(() -> commands.send(odd))
        .hasMessageContaining("body dev.berth.records.CommandResult");
  }

  @Test
  void aCommandThatCannotBeSentFails() {
    producer.sendException = new TimeoutException("no metadata");

    assertThat(commands.unfence("n1", OPERATOR))
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(WriteFailedException.class)
        .withMessageContaining("record 'n1' was not confirmed");
  }

  @Test
  void closingFailsWhatHasNoResult() {
    CompletableFuture<CommandResult> fence = commands.fence("n1", OPERATOR);

    commands.close();

    assertThat(fence)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(ClosedException.class);
  }

  @Test
  void registersWhatWasGiven() {
    VolumeSpec spec = spec("v1", "${file:/run/x}");

    CompletableFuture<CommandResult> open = commands.registerVolume(spec, OPERATOR);

    assertThat(open).isNotDone();
    assertThat(sent(0).getBody()).isEqualTo(new RegisterVolume(spec));
  }

  private Command sent(int position) {
    ProducerRecord<String, byte[]> record = producer.history().get(position);
    return AvroSerde.of(registry, Command.class)
        .deserializer()
        .deserialize(record.topic(), record.value());
  }

  private static VolumeSpec spec(String volume, String secret) {
    return new VolumeSpec(
        "default",
        volume,
        "ebs",
        "vol-0123",
        List.of(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)),
        Map.of("token", secret),
        Map.of(),
        Map.of(),
        null,
        List.of(),
        List.of());
  }

  private static CommandResult result(String commandId, CommandOutcome outcome) {
    return new CommandResult(
        commandId,
        "op",
        "maintenance",
        "FenceNode",
        "n1",
        outcome,
        "node-alive",
        "the node is ready",
        Instant.parse("2026-01-01T00:00:01Z"));
  }
}
