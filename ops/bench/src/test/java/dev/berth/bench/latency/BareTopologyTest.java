package dev.berth.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BareTopologyTest {

  @Test
  @DisplayName(
      "an event goes through both hops as it is, under the key of its lane, and is stored twice")
  void hops() {
    Topics topics = new Topics("bare");
    Properties settings = new Properties();
    settings.put("application.id", "bare");
    settings.put("bootstrap.servers", "none:1");
    byte[] event = {1, 2, 3};
    try (TopologyTestDriver driver =
        new TopologyTestDriver(
            BareTopology.build(topics, key -> key.substring(key.indexOf('/') + 1)), settings)) {
      driver
          .createInputTopic(
              topics.name(Topic.ALLOC_EVENTS), new StringSerializer(), new ByteArraySerializer())
          .pipeInput("bench/p1", event);

      assertThat(
              driver
                  .createOutputTopic(
                      topics.name(Topic.PLUGIN_WORK),
                      new StringDeserializer(),
                      new ByteArrayDeserializer())
                  .readKeyValuesToList())
          .containsExactly(new KeyValue<>("p1", event));
      assertThat(driver.<String, byte[]>getKeyValueStore("claims").get("bench/p1"))
          .isEqualTo(event);
      assertThat(driver.<String, byte[]>getKeyValueStore("lanes").get("p1")).isEqualTo(event);
    }
  }
}
