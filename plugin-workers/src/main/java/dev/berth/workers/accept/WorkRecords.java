package dev.berth.workers.accept;

import dev.berth.records.Work;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.serde.UnreadableRecordException;
import dev.berth.workers.accept.Polled.Dispatched;
import dev.berth.workers.accept.Polled.Unreadable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
   * What was read of a poll.
   *
   * @param polled the records, those of one partition in their order
   * @param barred for each partition with one that cannot be told for now, the first such record
   *     and why; what follows it there is not among the records
   * @param times what the headers of each attempt, by its id, say of the steps before
   */
  record Read(
      List<Polled> polled,
      Map<ConsumerRecord<String, byte[]>, String> barred,
      Map<String, StepTimes> times) {}

  /**
   * Reads the records of a poll.
   *
   * @param notBegun partitions of which nothing is to be read yet
   */
  Read read(ConsumerRecords<String, byte[]> records, Set<TopicPartition> notBegun) {
    List<Polled> polled = new ArrayList<>(records.count());
    Map<ConsumerRecord<String, byte[]>, String> barred = new LinkedHashMap<>();
    Map<String, StepTimes> times = new HashMap<>();
    Set<TopicPartition> partitions = new LinkedHashSet<>(records.partitions());
    partitions.removeAll(notBegun);
    for (TopicPartition partition : partitions) {
      for (ConsumerRecord<String, byte[]> record : records.records(partition)) {
        try {
          Polled read = read(record);
          polled.add(read);
          if (read instanceof Dispatched dispatched) {
            times.put(dispatched.work().getAttemptId(), StepTimes.of(record.headers()));
          }
        } catch (RegistryUnavailableException away) {
          barred.put(record, String.valueOf(away.getMessage()));
          break;
        }
      }
    }
    return new Read(polled, barred, times);
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
