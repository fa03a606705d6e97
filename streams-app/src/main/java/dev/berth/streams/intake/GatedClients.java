package dev.berth.streams.intake;

import dev.berth.streams.ownership.FencedProducer;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients of Kafka Streams, its main consumers behind a gate and its producers fenced. With the
 * group protocol {@code streams}, Kafka Streams makes the main consumers itself: an unknown schema
 * then ends the attempt, and the whole thread tries again.
 *
 * @param gate what the main consumers ask
 * @param fence what the producers commit where there is nothing else, see {@link FencedProducer}
 */
public record GatedClients(SchemaGate gate, TopicPartition fence) implements KafkaClientSupplier {

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
    return new FencedProducer(settings, fence);
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
