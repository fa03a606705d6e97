package dev.berth.producers;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads a topic from its beginning, as another process would.
 *
 * @param <T> the record
 */
final class TopicReader<T extends SpecificRecord> implements AutoCloseable {

  private final Consumer<String, byte[]> consumer;
  private final String topic;
  private final Registry registry;
  private final Class<T> type;

  TopicReader(Connection connection, String topic, Class<T> type, String isolation) {
    Map<String, Object> settings = new HashMap<>(KafkaSettings.consumer(connection));
    settings.put("isolation.level", isolation);
    this.consumer = new KafkaConsumer<>(settings);
    this.topic = topic;
    this.registry = Registry.connect(connection.registry());
    this.type = type;
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Returns what came since the last call, with its keys. */
  List<ConsumerRecord<String, T>> poll() {
    List<ConsumerRecord<String, T>> records = new ArrayList<>();
    for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofMillis(200))) {
      records.add(
          new ConsumerRecord<>(
              topic,
              record.partition(),
              record.offset(),
              record.key(),
              AvroSerde.of(registry, type).deserializer().deserialize(topic, record.value())));
    }
    return records;
  }

  /** Returns all that is there now and can be read. */
  List<ConsumerRecord<String, T>> toTheEnd() {
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    List<ConsumerRecord<String, T>> all = new ArrayList<>();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      all.addAll(poll());
    }
    return all;
  }

  /** Returns the offset behind the last record by partition. */
  Map<Integer, Long> ends() {
    Map<Integer, Long> ends = new HashMap<>();
    consumer
        .endOffsets(consumer.assignment())
        .forEach((partition, end) -> ends.put(partition.partition(), end));
    return ends;
  }

  @Override
  public void close() {
    consumer.close();
    registry.close();
  }
}
