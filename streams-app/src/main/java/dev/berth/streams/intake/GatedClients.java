package dev.berth.streams.intake;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients of Kafka Streams, its main consumers behind a gate. With the group protocol {@code
 * streams}, Kafka Streams makes the main consumers itself: an unknown schema then ends the attempt,
 * and the whole thread tries again.
 *
 * @param gate what the main consumers ask
 */
public record GatedClients(SchemaGate gate) implements KafkaClientSupplier {

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> settings) {
    return new GatedConsumer(settings, gate);
  }

  @Override
  public Admin getAdmin(Map<String, Object> settings) {
    return Admin.create(settings);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> settings) {
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> settings) {
    return ungated(settings);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> settings) {
    return ungated(settings);
  }

  private static Consumer<byte[], byte[]> ungated(Map<String, Object> settings) {
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
