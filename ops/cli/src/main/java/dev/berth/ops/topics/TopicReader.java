package dev.berth.ops.topics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.producers.Connection;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.serde.UnreadableRecordException;
import dev.berth.schemas.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads topics of the catalogue from their beginning, through the registry, for showing: committed
 * records, without a consumer group, so that nothing on the cluster knows of it.
 */
public final class TopicReader implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);

  /** A person waits. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Connection connection;
  private final Registry registry;
  private final Consumer<String, byte[]> consumer;

  /**
   * Makes the clients; the cluster is not asked yet.
   *
   * @throws KafkaException when the connection's settings cannot be used
   */
  public TopicReader(Connection connection) {
    this.connection = connection;
    this.registry = Registry.connect(connection.registry());
    this.consumer =
        TopicContent.consumer(
            connection.withKafka(
                Map.of(
                    "default.api.timeout.ms",
                    Long.toString(PATIENCE.toMillis()),
                    "allow.auto.create.topics",
                    "false")));
  }

  /**
   * Hands over records, in order within each partition, until the taker wants no more.
   *
   * @param follow whether to wait for more at the end
   * @param taker returns whether it wants more
   * @throws KafkaException when the topic is not there or the cluster does not answer
   */
  public void read(Topic topic, boolean follow, Predicate<TopicRecord> taker) {
    List<TopicPartition> partitions = partitions(connection.topics().name(topic));
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    Values values =
        topic.record().<Values>map(type -> new RecordValues(registry, type)).orElse(Values.BYTES);
    while (follow || !reached(ends)) {
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
        Long end = ends.get(new TopicPartition(record.topic(), record.partition()));
        boolean later = end != null && record.offset() >= end;
        if ((follow || !later) && !taker.test(shown(record, values))) {
          return;
        }
      }
    }
  }

  @Override
  public void close() {
    consumer.close();
    registry.close();
  }

  private List<TopicPartition> partitions(String name) {
    try {
      List<TopicPartition> partitions =
          consumer.partitionsFor(name).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      if (partitions.isEmpty()) {
        throw new KafkaException(
            "there is no topic %s at %s: check the prefix, or start Berth there"
                .formatted(name, connection.bootstrapServers()));
      }
      return partitions;
    } catch (TimeoutException e) {
      throw new KafkaException(
          "no broker answers at %s: is it running, and are its security settings given?"
              .formatted(connection.bootstrapServers()),
          e);
    }
  }

  private boolean reached(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  private static TopicRecord shown(ConsumerRecord<String, byte[]> record, Values values) {
    Map<String, String> headers = new TreeMap<>();
    record
        .headers()
        .forEach(
            header ->
                headers.put(
                    header.key(),
                    header.value() == null
                        ? ""
                        : new String(header.value(), StandardCharsets.UTF_8)));
    JsonNode value;
    Optional<String> unreadable = Optional.empty();
    if (record.value() == null) {
      value = RecordJson.of(null);
    } else {
      try {
        value = values.read(record.topic(), record.value());
      } catch (UnreadableRecordException e) {
        value = RecordJson.bytes(record.value());
        unreadable = Optional.of(String.valueOf(e.getMessage()));
      }
    }
    return new TopicRecord(
        record.partition(),
        record.offset(),
        Instant.ofEpochMilli(record.timestamp()),
        Optional.ofNullable(record.key()),
        value,
        headers,
        unreadable);
  }

  /** Makes JSON of values that are no tombstones. */
  private interface Values {
    Values BYTES = (topic, bytes) -> RecordJson.bytes(bytes);

    JsonNode read(String topic, byte[] value);
  }

  private static final class RecordValues implements Values {
    private final Deserializer<? extends SpecificRecord> deserializer;

    RecordValues(Registry registry, Class<? extends SpecificRecord> type) {
      this.deserializer = AvroSerde.of(registry, type).deserializer();
    }

    @Override
    public JsonNode read(String topic, byte[] value) {
      return RecordJson.of(deserializer.deserialize(topic, value));
    }
  }
}
