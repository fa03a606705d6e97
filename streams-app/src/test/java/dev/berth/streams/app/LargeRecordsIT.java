package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A record of nearly 8 MiB, on a real broker,")
class LargeRecordsIT {
  private static final int NEARLY = Topic.LARGEST_RECORD - 1024;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(names = {"CLAIM_HISTORY", "LANE_STATUS"})
  @DisplayName("is written by the producer of the application")
  void written(Topic topic) throws ExecutionException, InterruptedException {
    Topics topics = Topics.withDefaultPrefix();
    try (TestCluster cluster = new TestCluster(directory)) {
      cluster.provision(topics);
      AppConfig config = cluster.config(topics, directory.resolve("state"), Map.of());

      try (KafkaProducer<String, byte[]> producer =
          new KafkaProducer<>(
              producerSettings(config), new StringSerializer(), new ByteArraySerializer())) {
        assertThat(
                producer
                    .send(new ProducerRecord<>(topics.name(topic), "key", new byte[NEARLY]))
                    .get()
                    .serializedValueSize())
            .isEqualTo(NEARLY);
      }
    }
  }

  private static Map<String, Object> producerSettings(AppConfig config) {
    Properties settings = KafkaSettings.streams(config);
    Map<String, Object> producer = new StreamsConfig(settings).getProducerConfigs("test");
    // Whether it is a transaction is of no matter to the size.
    producer.remove("transactional.id");
    producer.remove("transaction.timeout.ms");
    return producer;
  }
}
