package dev.berth.producers;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Settings of the library's Kafka clients: defaults of ours, the caller's over them, and over both
 * what the guarantees rest on.
 */
final class KafkaSettings {

  /**
   * How long a transaction of ours may stay open. A killed process leaves its last one open, and
   * until then nobody reads past it.
   */
  static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(10);

  private KafkaSettings() {}

  /** Settings of a producer whose transactions replace those of its predecessor. */
  static Map<String, Object> transactionalProducer(Connection connection, String transactionalId) {
    Map<String, Object> settings = producer(connection);
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) TRANSACTION_TIMEOUT.toMillis());
    return settings;
  }

  /** Settings of a producer that neither loses, doubles nor reorders. */
  static Map<String, Object> producer(Connection connection) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    // Between two transactions the broker asks to try again shortly; the default waits 100 ms.
    settings.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 10);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 20_000);
    settings.putAll(connection.kafka());
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, connection.bootstrapServers());
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // Keys must go where Berth's own partitioner puts them.
    settings.remove(ProducerConfig.PARTITIONER_CLASS_CONFIG);
    settings.put(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG, false);
    return settings;
  }

  /** Settings of a consumer that is told its partitions and sees committed records only. */
  static Map<String, Object> consumer(Connection connection) {
    Map<String, Object> settings = new HashMap<>(connection.kafka());
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, connection.bootstrapServers());
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    return settings;
  }
}
