package dev.berth.producers;

import dev.berth.records.Claim;
import dev.berth.schemas.serde.UnreadableRecordException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the claim table from its beginning to where it ended when the reading began. */
final class ClaimTableReader {

  private static final Logger log = LoggerFactory.getLogger(ClaimTableReader.class);
  private static final Duration POLL = Duration.ofMillis(200);

  private final Consumer<String, byte[]> consumer;
  private final String topic;
  private final Deserializer<Claim> deserializer;
  private final Map<String, SeenClaim> rows = new HashMap<>();
  private final Set<String> unreadable = new HashSet<>();

  /**
   * For one reading.
   *
   * @param consumer of committed records, without a group; the caller closes it
   */
  ClaimTableReader(
      Consumer<String, byte[]> consumer, String topic, Deserializer<Claim> deserializer) {
    this.consumer = consumer;
    this.topic = topic;
    this.deserializer = deserializer;
  }

  /**
   * Reads all partitions.
   *
   * @param nanoTime as {@link System#nanoTime}
   * @throws ReconcileException when the topic does not exist or its end is not reached in time
   * @throws org.apache.kafka.common.KafkaException when the cluster does not answer or refuses
   * @throws dev.berth.schemas.registry.RegistryUnavailableException when the registry does not tell
   *     how to read a row
   */
  ClaimTable read(Duration timeout, LongSupplier nanoTime) {
    long began = nanoTime.getAsLong();
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    if (partitions.isEmpty()) {
      throw new ReconcileException(
          "topic " + topic + " does not exist: provision Berth's topics first");
    }
    consumer.assign(partitions);
    // First the ends, then the records: what is committed meanwhile is not waited for.
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    consumer.seekToBeginning(partitions);
    while (!reached(ends)) {
      if (nanoTime.getAsLong() - began > timeout.toNanos()) {
        throw new ReconcileException(
            "topic %s could not be read to its end within %s: try again, or give more readTimeout"
                .formatted(topic, timeout));
      }
      consumer.poll(POLL).forEach(this::take);
    }
    Map<Integer, Long> position = new TreeMap<>();
    ends.forEach((partition, end) -> position.put(partition.partition(), end));
    return new ClaimTable(List.copyOf(rows.values()), unreadable.size(), position);
  }

  private boolean reached(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  /** The latest word about a row counts; one that is not understood takes the place of the last. */
  private void take(ConsumerRecord<String, byte[]> message) {
    String key = message.key() == null ? "" : message.key();
    rows.remove(key);
    unreadable.remove(key);
    if (message.value() == null) {
      return;
    }
    try {
      SeenClaim row = SeenClaim.of(deserializer.deserialize(topic, message.value()));
      if (row.key().equals(key)) {
        rows.put(key, row);
        return;
      }
      leave(message, key, "its key names another claim, " + row.key());
    } catch (UnreadableRecordException e) {
      leave(message, key, e.getMessage());
    }
  }

  private void leave(ConsumerRecord<String, byte[]> message, String key, @Nullable String reason) {
    unreadable.add(key);
    log.warn(
        "a claim cannot be read and is left alone key={} partition={} offset={} reason={}",
        key,
        message.partition(),
        message.offset(),
        reason);
  }
}
