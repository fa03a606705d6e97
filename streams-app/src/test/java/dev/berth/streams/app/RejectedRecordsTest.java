package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A record that fails in the topology")
class RejectedRecordsTest {
  private final TopologyTestDriver driver = new TopologyTestDriver(topology(), settings());

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  @DisplayName("goes to rejected-records as it came with readable headers, and the next goes on")
  void processing() {
    put("k1", "bug");
    put("k2", "fine");

    List<TestRecord<String, byte[]>> rejected = rejected();
    assertThat(rejected).hasSize(1);
    assertThat(rejected.get(0).key()).isEqualTo("k1");
    assertThat(rejected.get(0).value()).isEqualTo("bug".getBytes(StandardCharsets.UTF_8));
    assertThat(headers(rejected.get(0)))
        .isEqualTo(
            Map.of(
                "berth.source.topic", "in",
                "berth.source.partition", "0",
                "berth.source.offset", "0",
                "kafka_dlt-original-topic", "in",
                "kafka_dlt-original-partition", "0",
                "kafka_dlt-original-offset", "0",
                "berth.reason", "processing failed: java.lang.IllegalStateException: bug"));
    assertThat(out()).containsExactly("fine");
  }

  @Test
  @DisplayName("because its effect cannot be written goes there too")
  void writing() {
    put("k1", "unwritable");
    put("k2", "fine");

    assertThat(rejected())
        .extracting(record -> headers(record).get("berth.reason"))
        .containsExactly(
            "its effect on out cannot be written: java.lang.IllegalArgumentException: no schema");
    assertThat(out()).containsExactly("fine");
  }

  @Test
  @DisplayName("because something outside is away is not given up")
  void outage() {
    assertThatExceptionOfType(StreamsException.class)
        .isThrownBy(() -> put("k1", "outage"))
        .havingRootCause()
        .isInstanceOf(TimeoutException.class);
    assertThat(rejected()).isEmpty();
  }

  private void put(String key, String value) {
    driver
        .createInputTopic("in", new StringSerializer(), new StringSerializer())
        .pipeInput(key, value);
  }

  private List<TestRecord<String, byte[]>> rejected() {
    return driver
        .createOutputTopic(
            "berth.rejected-records", new StringDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  private List<String> out() {
    return driver
        .createOutputTopic("out", new StringDeserializer(), new StringDeserializer())
        .readValuesToList();
  }

  private static Map<String, String> headers(TestRecord<?, ?> record) {
    Map<String, String> texts = new TreeMap<>();
    for (Header header : record.headers()) {
      texts.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
    }
    return texts;
  }

  private static Topology topology() {
    Serializer<String> picky =
        (topic, value) -> {
          if (value.equals("unwritable")) {
            throw new IllegalArgumentException("no schema");
          }
          return value.getBytes(StandardCharsets.UTF_8);
        };
    return new Topology()
        .addSource("source", new StringDeserializer(), new StringDeserializer(), "in")
        .addProcessor("processor", Picky::new, "source")
        .addSink("sink", "out", new StringSerializer(), picky, "processor");
  }

  private static Properties settings() {
    return KafkaSettings.streams(
        AppConfig.parse(
            Map.of(
                "bootstrap.servers", "127.0.0.1:1",
                "schema.registry.url", "mock://none",
                "state.dir", System.getProperty("java.io.tmpdir") + "/berth-rejected")));
  }

  /** Fails as its input says. */
  private static final class Picky extends ContextualProcessor<String, String, String, String> {
    @Override
    public void process(Record<String, String> record) {
      switch (record.value()) {
        case "bug" -> throw new IllegalStateException("bug");
        case "outage" -> throw new TimeoutException("late");
        default -> context().forward(record);
      }
    }
  }
}
