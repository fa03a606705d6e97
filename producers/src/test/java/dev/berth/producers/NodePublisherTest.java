package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.serde.AvroSerde;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodePublisherTest {

  private final Registry registry =
      Registry.connect(Map.of(RegistryConfig.URL, "mock://node-publisher-test"));
  private final MockProducer<String, byte[]> producer =
      new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
  private final NodePublisher nodes =
      new NodePublisher(
          SchedulerConfig.of("east", Connection.to("nowhere:1", "mock://node-publisher-test"))
              .withClock(new FakeClock("2026-01-01T00:00:00.5Z")),
          registry,
          producer);

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void aNodeIsPublishedWithItsScheduler() {
    assertThat(nodes.publish("n1", NodeStatus.DISCONNECTED, false)).isCompleted();

    ProducerRecord<String, byte[]> record = producer.history().get(0);
    assertThat(record.key()).isEqualTo("n1");
    assertThat(
            AvroSerde.of(registry, Node.class)
                .deserializer()
                .deserialize(record.topic(), record.value()))
        .isEqualTo(
            new Node(
                "n1",
                "east",
                NodeStatus.DISCONNECTED,
                false,
                Instant.parse("2026-01-01T00:00:00.5Z")));
  }

  @Test
  void aRemovedNodeIsATombstone() {
    assertThat(nodes.remove("n1")).isCompleted();

    assertThat(producer.history())
        .containsExactly(new ProducerRecord<>("berth.nodes", "n1", (byte[]) null));
  }

  @Test
  void refusesANodeIdThatIsNoKey() {
    assertThatThrownBy(() -> nodes.publish("", NodeStatus.READY, true))
        .hasMessage("node is empty: give a value");
    assertThatThrownBy(() -> nodes.publish("n1", NodeStatus.UNRECOGNIZED, true))
        .hasMessageStartingWith("status UNRECOGNIZED");
  }
}
