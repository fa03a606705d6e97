package dev.berth.bench.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.table.TableVolume.Kind;
import dev.berth.records.Acceptance;
import dev.berth.records.AllocEvent;
import dev.berth.records.ClaimReply;
import dev.berth.records.Outcome;
import dev.berth.records.Work;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.policy.Policies;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BareHopTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final String APPLICATION = "t-streams";

  private final Topics topics = new Topics("t");
  private final Registry registry = Registry.over(new MockSchemaRegistryClient());

  @TempDir private Path state;

  /** A record of a topic without its bytes, of which two lives have as many. */
  private record Sent(Topic topic, String key, int bytes) {}

  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName("another volume leaves the same in topics and stores as Berth was seen to leave")
  void same(Kind kind) {
    Footprint life = rehearse(kind);
    TableVolume volume = new TableVolume(kind, 61);
    try (TopologyTestDriver hop = hop(life)) {
      List<Sent> sent = live(hop, volume);

      assertThat(sent).containsExactlyInAnyOrderElementsOf(expected(life, volume));
      assertThat(
              hop.<String, byte[]>getKeyValueStore("volume-claims").get("volumes/" + volume.key()))
          .as("the row that its registration had left")
          .hasSameSizeAs(
              life.registered().stream()
                  .filter(row -> row.key().startsWith("volumes/"))
                  .findFirst()
                  .orElseThrow()
                  .value());
      assertThat(hop.<String, byte[]>getKeyValueStore("volume-claims").get(claim(volume))).isNull();
    }
  }

  @Test
  @DisplayName("a life on a node-only volume calls no plugin, one on another calls it twice")
  void calls() {
    assertThat(rehearse(Kind.NODE_ONLY).steps().keySet())
        .containsExactly(
            "NODE_ONLY ALLOC_EVENTS ClaimRequested",
            "NODE_ONLY ALLOC_EVENTS AllocStatusChanged",
            "NODE_ONLY ALLOC_EVENTS Unmounted");
    assertThat(rehearse(Kind.CONTROLLER).sent(Topic.PLUGIN_WORK)).isEqualTo(2);
  }

  @Test
  @DisplayName("while an alloc has a volume there are rows of its claim, and before there are not")
  void rows() {
    Footprint life = rehearse(Kind.NODE_ONLY);

    assertThat(life.registered()).noneMatch(row -> row.key().startsWith("claims/"));
    assertThat(life.claimed()).anyMatch(row -> row.key().equals(claim(life.sample())));
    assertThat(life.claimed().size()).isGreaterThan(life.registered().size());
  }

  private static String claim(TableVolume volume) {
    return "claims/" + volume.key() + "/" + volume.alloc(1);
  }

  private Footprint rehearse(Kind kind) {
    return Rehearsal.of(
        topics,
        registry,
        APPLICATION,
        new Policies(1, Map.of("default", Map.of("lane", "volume"))),
        kind);
  }

  private TopologyTestDriver hop(Footprint life) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "hop");
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
    settings.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
    return new TopologyTestDriver(
        new BareHop(topics, registry, List.of(life), APPLICATION, () -> true)
            .build(Stores::inMemoryKeyValueStore),
        settings,
        NOW);
  }

  private List<Sent> live(TopologyTestDriver hop, TableVolume volume) {
    List<AllocEvent> events = new ArrayList<>(List.of(Events.claim(volume, 1, NOW)));
    events.addAll(Events.end(volume, 1, NOW));
    List<Sent> sent = new ArrayList<>();
    for (AllocEvent event : events) {
      put(hop, Topic.ALLOC_EVENTS, volume.key(), AllocEvent.class, event);
      for (byte[] value : take(hop, sent)) {
        Work work =
            AvroSerde.of(registry, Work.class)
                .deserializer()
                .deserialize(topics.name(Topic.PLUGIN_WORK), value);
        Acceptance acceptance = Answers.acceptance(work, NOW);
        put(hop, Topic.WORK_ACCEPTANCES, work.getPlugin(), Acceptance.class, acceptance);
        put(
            hop,
            Topic.WORK_OUTCOMES,
            work.getPlugin(),
            Outcome.class,
            Answers.outcomes(work, acceptance, NOW).get(0));
      }
      assertThat(take(hop, sent)).isEmpty();
    }
    return sent;
  }

  private <A extends SpecificRecord> void put(
      TopologyTestDriver hop, Topic topic, String key, Class<A> type, A value) {
    String name = topics.name(topic);
    hop.createInputTopic(name, new StringSerializer(), new ByteArraySerializer())
        .pipeInput(key, AvroSerde.of(registry, type).serializer().serialize(name, value));
  }

  /** Takes what was sent; returns the work. */
  private List<byte[]> take(TopologyTestDriver hop, List<Sent> sent) {
    List<byte[]> work = new ArrayList<>();
    for (Topic topic : Topic.values()) {
      if (!hop.producedTopicNames().contains(topics.name(topic))) {
        continue;
      }
      hop.createOutputTopic(
              topics.name(topic), new StringDeserializer(), new ByteArrayDeserializer())
          .readKeyValuesToList()
          .forEach(
              record -> {
                sent.add(
                    new Sent(topic, record.key, record.value == null ? -1 : record.value.length));
                if (topic == Topic.PLUGIN_WORK) {
                  work.add(record.value);
                } else if (topic == Topic.CLAIM_REPLIES) {
                  assertThat(reply(record.value).getAlloc()).isEqualTo(record.key);
                }
              });
    }
    return work;
  }

  private ClaimReply reply(byte[] value) {
    return AvroSerde.of(registry, ClaimReply.class)
        .deserializer()
        .deserialize(topics.name(Topic.CLAIM_REPLIES), value);
  }

  private static List<Sent> expected(Footprint life, TableVolume volume) {
    List<Sent> expected = new ArrayList<>();
    for (Tape.Step step : life.steps().values()) {
      for (Tape.Touch touch : step.touches()) {
        String sink = touch.sink();
        if (sink != null) {
          Topic topic = topicOf(sink);
          String key = new KeyStencil(touch.key(), life.names()).of(volume);
          byte[] value = touch.value();
          expected.add(new Sent(topic, key, value == null ? -1 : value.length));
        }
      }
    }
    return expected;
  }

  private static Topic topicOf(String sink) {
    for (Topic topic : Topic.values()) {
      if (sink.endsWith("-to-" + topic.suffix())) {
        return topic;
      }
    }
    throw new IllegalArgumentException(sink);
  }
}
