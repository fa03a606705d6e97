package dev.berth.ops.topics;

import dev.berth.producers.Connection;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** What topics hold now, as one who reads them from the beginning finds it: committed records. */
public final class TopicContent implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);

  private final Connection connection;
  private final Registry registry;
  private final Consumer<String, byte[]> consumer;

  /** Connects. */
  public TopicContent(Connection connection) {
    this.connection = connection;
    this.registry = Registry.connect(connection.registry());
    this.consumer = consumer(connection);
  }

  /**
   * A record.
   *
   * @param partition where it is
   * @param offset its offset there
   * @param key its key
   * @param value its value; empty for a tombstone
   */
  public record Entry<T>(TopicPartition partition, long offset, String key, Optional<T> value) {}

  /** All records of a topic, in order within each partition. */
  public <T extends SpecificRecord> List<Entry<T>> records(Topic topic, Class<T> type) {
    List<Entry<T>> entries = new ArrayList<>();
    forEach(topic, type, entries::add);
    return entries;
  }

  /** Goes through all records of a topic, which need not fit into memory. */
  public <T extends SpecificRecord> void forEach(
      Topic topic, Class<T> type, java.util.function.Consumer<? super Entry<T>> each) {
    Deserializer<T> deserializer = AvroSerde.of(registry, type).deserializer();
    bytes(
        topic,
        record ->
            each.accept(
                new Entry<>(
                    new TopicPartition(record.topic(), record.partition()),
                    record.offset(),
                    record.key(),
                    Optional.ofNullable(
                        deserializer.deserialize(record.topic(), record.value())))));
  }

  /**
   * What is left of a partition.
   *
   * @param trimmed whether its first records have been dropped
   * @param oldest time of the first record that is left; empty when none is
   */
  public record Left(boolean trimmed, Optional<Instant> oldest) {}

  /** Told of a record. */
  @FunctionalInterface
  public interface Taker<T> {
    /**
     * Takes one.
     *
     * @param at its time on the topic
     * @param value its value; empty for a tombstone
     */
    void take(String key, Instant at, Optional<T> value);
  }

  /**
   * Goes through the one partition of a volume.
   *
   * @param volume key of the volume
   * @param wanted keys of the records wanted
   */
  public <T extends SpecificRecord> Left ofVolume(
      Topic topic, Class<T> type, String volume, Predicate<String> wanted, Taker<T> each) {
    Deserializer<T> values = AvroSerde.of(registry, type).deserializer();
    String name = connection.topics().name(topic);
    TopicPartition partition =
        new TopicPartition(name, Keys.partition(volume, consumer.partitionsFor(name).size()));
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    long begin = consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
    long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    Instant oldest = null;
    while (consumer.position(partition) < end) {
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
        Instant at = Instant.ofEpochMilli(record.timestamp());
        oldest = oldest == null ? at : oldest;
        if (record.key() != null && wanted.test(record.key())) {
          each.take(
              record.key(), at, Optional.ofNullable(values.deserialize(name, record.value())));
        }
      }
    }
    return new Left(begin > 0, Optional.ofNullable(oldest));
  }

  /** The latest value of each key that has one. */
  public <T extends SpecificRecord> Map<String, T> table(Topic topic, Class<T> type) {
    Map<String, T> table = new LinkedHashMap<>();
    forEach(
        topic,
        type,
        entry ->
            entry
                .value()
                .ifPresentOrElse(
                    value -> table.put(entry.key(), value), () -> table.remove(entry.key())));
    return table;
  }

  /** How many records a topic holds (count). */
  public int count(Topic topic) {
    AtomicInteger count = new AtomicInteger();
    bytes(topic, record -> count.incrementAndGet());
    return count.get();
  }

  @Override
  public void close() {
    consumer.close();
    registry.close();
  }

  private void bytes(
      Topic topic, java.util.function.Consumer<ConsumerRecord<String, byte[]>> each) {
    List<TopicPartition> partitions = assign(connection, consumer, topic);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      consumer.poll(POLL).forEach(each);
    }
  }

  /** Puts a consumer at the beginning of all partitions of a topic. */
  static List<TopicPartition> assign(
      Connection connection, Consumer<String, byte[]> consumer, Topic topic) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(connection.topics().name(topic)).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return partitions;
  }

  /** A consumer without group that sees committed records only. */
  static Consumer<String, byte[]> consumer(Connection connection) {
    Map<String, Object> settings = new LinkedHashMap<>(connection.kafka());
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", false);
    return new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
  }
}
