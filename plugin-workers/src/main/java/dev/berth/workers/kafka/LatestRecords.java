package dev.berth.workers.kafka;

import dev.berth.schemas.serde.UnreadableRecordException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The latest record of each key of a compacted topic, as far as it can be read.
 *
 * @param <T> the record
 */
public final class LatestRecords<T> {

  private static final Logger log = LoggerFactory.getLogger(LatestRecords.class);

  private final Deserializer<T> deserializer;
  private final Map<String, T> latest = new LinkedHashMap<>();

  private LatestRecords(Deserializer<T> deserializer) {
    this.deserializer = deserializer;
  }

  /**
   * Reads a topic from its beginning to its end.
   *
   * @return key to record, without those removed
   */
  public static <T> Map<String, T> read(
      String topic, Consumer<String, byte[]> reader, TopicEnd end, Deserializer<T> deserializer) {
    return read(
        reader.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList(),
        reader,
        end,
        deserializer);
  }

  /**
   * Reads partitions from their beginnings to their ends.
   *
   * @return key to record, without those removed
   */
  public static <T> Map<String, T> read(
      Collection<TopicPartition> partitions,
      Consumer<String, byte[]> reader,
      TopicEnd end,
      Deserializer<T> deserializer) {
    reader.assign(partitions);
    reader.seekToBeginning(partitions);
    LatestRecords<T> records = new LatestRecords<>(deserializer);
    end.read(reader, records::keep);
    return records.latest;
  }

  private void keep(ConsumerRecord<String, byte[]> record) {
    if (record.value() == null) {
      latest.remove(record.key());
      return;
    }
    try {
      latest.put(record.key(), deserializer.deserialize(record.topic(), record.value()));
    } catch (UnreadableRecordException e) {
      log.warn(
          "record skipped topic={} partition={} offset={} error={}",
          record.topic(),
          record.partition(),
          record.offset(),
          e.getMessage());
    }
  }
}
