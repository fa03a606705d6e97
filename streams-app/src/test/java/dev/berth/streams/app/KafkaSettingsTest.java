package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The settings of Kafka")
class KafkaSettingsTest {

  @Test
  @DisplayName("are these, and Kafka Streams takes them")
  void streams() {
    AppConfig config = config(Map.of("threads", "2", "replication.factor", "3"));

    Map<String, String> settings = texts(KafkaSettings.streams(config));

    assertThat(settings)
        .isEqualTo(
            Map.ofEntries(
                Map.entry("application.id", "berth-streams"),
                Map.entry("bootstrap.servers", "127.0.0.1:9092"),
                Map.entry("state.dir", "/var/lib/berth/streams"),
                Map.entry("num.stream.threads", "2"),
                Map.entry("num.standby.replicas", "1"),
                Map.entry("replication.factor", "3"),
                Map.entry("group.protocol", "classic"),
                Map.entry("rocksdb.config.setter", BoundedStoreMemory.class.toString()),
                Map.entry("processing.guarantee", "exactly_once_v2"),
                Map.entry("enable.transactional.statestores", "true"),
                Map.entry("default.interactive.query.isolation.level", "READ_COMMITTED"),
                Map.entry(
                    "default.timestamp.extractor", "class dev.berth.streams.topology.RecordTime"),
                Map.entry("ensure.explicit.internal.resource.naming", "true"),
                Map.entry("producer.transaction.timeout.ms", "10000"),
                Map.entry("producer.linger.ms", "100"),
                Map.entry("producer.retry.backoff.ms", "10"),
                Map.entry("producer.max.request.size", "8388608"),
                Map.entry("topic.max.message.bytes", "8388608"),
                Map.entry("commit.interval.ms", "20"),
                Map.entry("poll.ms", "10"),
                Map.entry("consumer.session.timeout.ms", "10000"),
                Map.entry("consumer.heartbeat.interval.ms", "3000"),
                Map.entry("errors.dead.letter.queue.topic.name", "berth.rejected-records"),
                Map.entry("deserialization.exception.handler", RejectUnreadable.class.toString()),
                Map.entry("processing.exception.handler", RejectUnprocessable.class.toString()),
                Map.entry("production.exception.handler", RejectUnwritable.class.toString())));
    assertThat(new StreamsConfig(KafkaSettings.streams(config)).originals()).isNotEmpty();
  }

  @Test
  @DisplayName("leave the session timeout to the broker with the new group protocol")
  void newProtocol() {
    assertThat(texts(KafkaSettings.streams(config(Map.of("group.protocol", "streams")))))
        .containsEntry("group.protocol", "streams")
        .doesNotContainKeys("consumer.session.timeout.ms", "consumer.heartbeat.interval.ms");
  }

  @Test
  @DisplayName("give way to what the configuration hands on")
  void handedOn() {
    assertThat(texts(KafkaSettings.streams(config(Map.of("kafka.poll.ms", "50")))))
        .containsEntry("poll.ms", "50");
  }

  @Test
  @DisplayName("of an admin client are those for all clients and for it")
  void admin() {
    AppConfig config =
        config(
            Map.of(
                "kafka.security.protocol", "SSL",
                "kafka.consumer.fetch.max.bytes", "1",
                "kafka.admin.request.timeout.ms", "7000"));

    assertThat(KafkaSettings.admin(config))
        .isEqualTo(
            Map.of(
                "bootstrap.servers", "127.0.0.1:9092",
                "client.id", "berth-streams-checks",
                "security.protocol", "SSL",
                "request.timeout.ms", "7000",
                "default.api.timeout.ms", "10000"));
  }

  @Test
  @DisplayName("tell after what time a stream thread hangs, the most specific one first")
  void longestPoll() {
    assertThat(KafkaSettings.longestPoll(config(Map.of()))).isEqualTo(Duration.ofMinutes(5));
    assertThat(
            KafkaSettings.longestPoll(
                config(
                    Map.of(
                        "kafka.max.poll.interval.ms", "1000",
                        "kafka.consumer.max.poll.interval.ms", "2000"))))
        .isEqualTo(Duration.ofSeconds(2));
  }

  private static AppConfig config(Map<String, String> more) {
    Map<String, String> settings = new TreeMap<>(more);
    settings.put("bootstrap.servers", "127.0.0.1:9092");
    settings.put("schema.registry.url", "http://127.0.0.1:8081");
    return AppConfig.parse(settings);
  }

  private static Map<String, String> texts(Map<?, ?> settings) {
    Map<String, String> texts = new TreeMap<>();
    settings.forEach((key, value) -> texts.put(key.toString(), value.toString()));
    return texts;
  }
}
