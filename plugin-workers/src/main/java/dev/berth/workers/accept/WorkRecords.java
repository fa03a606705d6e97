package dev.berth.workers.accept;

import dev.berth.records.Work;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.serde.UnreadableRecordException;
import dev.berth.workers.accept.Polled.Dispatched;
import dev.berth.workers.accept.Polled.Unreadable;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;

/** Reads polled records, telling those that nobody will ever read from the rest. */
final class WorkRecords {

  private final Deserializer<Work> deserializer;

  WorkRecords(Deserializer<Work> deserializer) {
    this.deserializer = deserializer;
  }

  /**
   * Reads the records of a poll, those of one partition in their order.
   *
   * @throws RegistryUnavailableException when it cannot be told for now
   */
  List<Polled> read(ConsumerRecords<String, byte[]> records) {
    List<Polled> polled = new ArrayList<>(records.count());
    for (ConsumerRecord<String, byte[]> record : records) {
      polled.add(read(record));
    }
    return polled;
  }

  private Polled read(ConsumerRecord<String, byte[]> record) {
    if (record.value() == null) {
      return new Unreadable(record, "no value");
    }
    try {
      Work work = deserializer.deserialize(record.topic(), record.value());
      return work.getCalls().isEmpty()
          ? new Unreadable(record, "attempt " + work.getAttemptId() + " carries no call")
          : new Dispatched(
              new TopicPartition(record.topic(), record.partition()), record.offset(), work);
    } catch (UnreadableRecordException e) {
      return new Unreadable(record, String.valueOf(e.getMessage()));
    }
  }
}
