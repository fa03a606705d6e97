package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.Command;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.DeregisterVolume;
import dev.berth.records.RegisterVolume;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.topology.BerthTopology;
import dev.berth.streams.topology.TopologyContext;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The 8 MiB of BAD-INPUT.md, in virtual time: no broker would take the input either. */
@DisplayName("A record from which one follows that no broker takes")
class LargestRecordTest {
  private static final int TOO_LARGE = 9 * 1024 * 1024;

  private final Registry registry = Registry.over(new MockSchemaRegistryClient());
  private final TopologyTestDriver driver =
      new TopologyTestDriver(
          BerthTopology.build(
              new TopologyContext(
                  Topics.withDefaultPrefix(), registry, 1, 1, Stores::inMemoryKeyValueStore),
              Policies.DEFAULTS),
          KafkaSettings.streams(
              AppConfig.parse(
                  Map.of(
                      "bootstrap.servers", "127.0.0.1:1",
                      "schema.registry.url", "mock://none",
                      "state.dir", System.getProperty("java.io.tmpdir") + "/berth-largest"))));

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  @DisplayName("is put aside, nothing of it is written, and the next goes on")
  void rejected() {
    put("c1", "big", new RegisterVolume(spec("big", TOO_LARGE)));
    put("c2", "big", new DeregisterVolume("default", "big", false));
    put("c3", "small", new RegisterVolume(spec("small", 10)));

    assertThat(rejections())
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.key()).isEqualTo("default/big");
              assertThat(header(record, "berth.reason"))
                  .matches(
                      "processing failed: java.lang.IllegalStateException: a record of [0-9]+"
                          + " bytes for .* follows from this one; 8323072 are allowed");
            });
    assertThat(results())
        .extracting(CommandResult::getCommandId, CommandResult::getOutcome, r -> code(r))
        .containsExactly(
            tuple("c2", CommandOutcome.REFUSED, "not-found"), tuple("c3", CommandOutcome.OK, ""));
  }

  private static String code(CommandResult result) {
    return result.getCode().orElse("");
  }

  private void put(String id, String volume, Object body) {
    driver
        .createInputTopic(
            Topics.withDefaultPrefix().name(Topic.COMMANDS),
            new StringSerializer(),
            AvroSerde.of(registry, Command.class).serializer())
        .pipeInput("default/" + volume, new Command(id, "ops", "because", Instant.EPOCH, body));
  }

  private List<TestRecord<String, byte[]>> rejections() {
    return driver
        .createOutputTopic(
            Topics.withDefaultPrefix().name(Topic.REJECTED_RECORDS),
            new StringDeserializer(),
            new ByteArrayDeserializer())
        .readRecordsToList();
  }

  private List<CommandResult> results() {
    return driver
        .createOutputTopic(
            Topics.withDefaultPrefix().name(Topic.COMMAND_RESULTS),
            new StringDeserializer(),
            AvroSerde.of(registry, CommandResult.class).deserializer())
        .readValuesToList();
  }

  private static String header(TestRecord<?, ?> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private static VolumeSpec spec(String volume, int size) {
    return VolumeSpec.newBuilder()
        .setNamespace("default")
        .setVolume(volume)
        .setPlugin("ebs")
        .setExternalId("ext-" + volume)
        .setCapabilities(
            List.of(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
        .setParameters(Map.of("blob", "x".repeat(size)))
        .build();
  }
}
