package dev.berth.streams.topology;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * A record's time, by which a task chooses among its partitions. No rule looks at it. One without
 * or with a negative time, which old and foreign clients write, is taken for as old as the record
 * before it; by default it would end the stream thread, again and again.
 */
public final class RecordTime implements TimestampExtractor {

  /** Called by Kafka Streams. */
  public RecordTime() {}

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    return record.timestamp() >= 0 ? record.timestamp() : Math.max(0, partitionTime);
  }
}
