package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PluginPublisherTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  private final MockProducer<String, byte[]> producer =
      new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
  private final PluginPublisher publisher =
      new PluginPublisher(
          Connection.to("nowhere:1", "mock://plugin-publisher-test"),
          Registry.connect(Map.of(RegistryConfig.URL, "mock://plugin-publisher-test")),
          producer);

  @AfterEach
  void close() {
    publisher.close();
  }

  @Test
  void anInstanceIsKeyedByPluginRoleAndNodeAndRemovedByATombstone() {
    assertThat(publisher.publish(instance(""))).succeedsWithin(SOON);
    assertThat(publisher.remove("ebs", PluginRole.CONTROLLER, "n1")).succeedsWithin(SOON);

    assertThat(producer.history())
        .extracting(ProducerRecord::topic, ProducerRecord::key, record -> record.value() == null)
        .containsExactly(
            tuple("berth.plugins", "ebs/controller@n1", false),
            tuple("berth.plugins", "ebs/controller@n1", true));
  }

  @Test
  void anInstanceOfAWorkerIsTheWorkersToReport() {
    assertThatThrownBy(() -> publisher.publish(instance("w1")))
        .isInstanceOf(InvalidEventException.class)
        .hasMessage(
            "worker 'w1': a worker reports its instances itself, again and again; leave it empty");
  }

  private static PluginInstance instance(String worker) {
    return PluginInstance.newBuilder()
        .setPlugin("ebs")
        .setNode("n1")
        .setRole(PluginRole.CONTROLLER)
        .setHealth(PluginHealth.HEALTHY)
        .setWorker(worker)
        .setSeenAt(Instant.parse("2026-01-01T00:00:00Z"))
        .build();
  }
}
