package dev.berth.workers.accept;

import dev.berth.records.Work;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** A record of a work topic as it was polled. */
public sealed interface Polled {

  /** Returns the partition it lies in. */
  TopicPartition partition();

  /** Returns its offset there. */
  long offset();

  /**
   * A record that holds work.
   *
   * @param partition partition it lies in
   * @param offset its offset there
   * @param work the work
   */
  record Dispatched(TopicPartition partition, long offset, Work work) implements Polled {}

  /**
   * A record that nobody can read.
   *
   * @param record the record as it came
   * @param reason what is wrong with it, without its bytes
   */
  record Unreadable(ConsumerRecord<String, byte[]> record, String reason) implements Polled {

    @Override
    public TopicPartition partition() {
      return new TopicPartition(record.topic(), record.partition());
    }

    @Override
    public long offset() {
      return record.offset();
    }
  }
}
