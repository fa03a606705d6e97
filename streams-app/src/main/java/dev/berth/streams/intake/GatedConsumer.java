package dev.berth.streams.intake;

import dev.berth.schemas.serde.AvroSerde;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A consumer of Kafka Streams that hands out a record only when the topology will not have to wait
 * for the registry to read it. A topic-partition stops before the first record that it cannot tell
 * of, and is asked for again at each poll; the others go on.
 *
 * <p>Without it the exception would end the stream thread, with every partition it has, again and
 * again while the outage lasts. Used by its stream thread only.
 */
final class GatedConsumer extends KafkaConsumer<byte[], byte[]> {
  private final SchemaGate gate;

  /** Schema that each held partition waits for. */
  private final Map<TopicPartition, Integer> waiting = new HashMap<>();

  /** What Kafka Streams has paused for reasons of its own, and must not be resumed for ours. */
  private final Set<TopicPartition> pausedByOwner = new HashSet<>();

  GatedConsumer(Map<String, Object> settings, SchemaGate gate) {
    super(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.gate = gate;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    releaseAnswered();
    ConsumerRecords<byte[], byte[]> polled = super.poll(timeout);
    forgetLost();
    Map<TopicPartition, Integer> firstBarred = new HashMap<>();
    for (TopicPartition partition : polled.partitions()) {
      int barred = firstBarred(polled.records(partition));
      if (barred >= 0) {
        firstBarred.put(partition, barred);
      }
    }
    return firstBarred.isEmpty() ? polled : withoutBarred(polled, firstBarred);
  }

  /** Index of the first record that cannot be handed out; -1 when all can. */
  private int firstBarred(List<ConsumerRecord<byte[], byte[]>> records) {
    for (int i = 0; i < records.size(); i++) {
      OptionalInt schema = AvroSerde.schemaId(records.get(i).value());
      if (schema.isPresent() && !gate.opens(schema.getAsInt())) {
        return i;
      }
    }
    return -1;
  }

  private ConsumerRecords<byte[], byte[]> withoutBarred(
      ConsumerRecords<byte[], byte[]> polled, Map<TopicPartition, Integer> firstBarred) {
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> kept = new HashMap<>();
    // Kafka Streams commits these for partitions of which it holds no record.
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>(polled.nextOffsets());
    for (TopicPartition partition : polled.partitions()) {
      List<ConsumerRecord<byte[], byte[]>> records = polled.records(partition);
      Integer barred = firstBarred.get(partition);
      if (barred == null) {
        kept.put(partition, records);
        continue;
      }
      if (barred > 0) {
        kept.put(partition, new ArrayList<>(records.subList(0, barred)));
      }
      ConsumerRecord<byte[], byte[]> first = records.get(barred);
      OffsetAndMetadata here = new OffsetAndMetadata(first.offset(), first.leaderEpoch(), "");
      next.put(partition, here);
      hold(partition, here, first);
    }
    return new ConsumerRecords<>(kept, next);
  }

  private void hold(
      TopicPartition partition, OffsetAndMetadata here, ConsumerRecord<byte[], byte[]> first) {
    int schema = AvroSerde.schemaId(first.value()).orElseThrow();
    super.seek(partition, here);
    super.pause(Set.of(partition));
    waiting.put(partition, schema);
    gate.hold(partition, first.offset(), schema);
  }

  private void releaseAnswered() {
    for (Map.Entry<TopicPartition, Integer> each : List.copyOf(waiting.entrySet())) {
      TopicPartition partition = each.getKey();
      if (gate.opens(each.getValue())) {
        release(partition);
        if (assignment().contains(partition) && !pausedByOwner.contains(partition)) {
          super.resume(Set.of(partition));
        }
      } else {
        gate.stillHolds(partition);
      }
    }
  }

  /** A partition that moved to another instance waits there. */
  private void forgetLost() {
    if (waiting.isEmpty() && pausedByOwner.isEmpty()) {
      return;
    }
    Set<TopicPartition> ours = assignment();
    pausedByOwner.retainAll(ours);
    List.copyOf(waiting.keySet()).stream().filter(p -> !ours.contains(p)).forEach(this::release);
  }

  private void release(TopicPartition partition) {
    waiting.remove(partition);
    gate.release(partition);
  }

  @Override
  public void pause(Collection<TopicPartition> partitions) {
    pausedByOwner.addAll(partitions);
    super.pause(partitions);
  }

  @Override
  public void resume(Collection<TopicPartition> partitions) {
    pausedByOwner.removeAll(partitions);
    super.resume(partitions.stream().filter(p -> !waiting.containsKey(p)).toList());
  }

  /**
   * None for a partition that waits: a task reads its partitions by time, and would wait for the
   * records that are known to lie there.
   */
  @Override
  public OptionalLong currentLag(TopicPartition partition) {
    return waiting.containsKey(partition) ? OptionalLong.of(0) : super.currentLag(partition);
  }

  @Override
  public void close() {
    List.copyOf(waiting.keySet()).forEach(this::release);
    super.close();
  }

  @Override
  public void close(CloseOptions options) {
    List.copyOf(waiting.keySet()).forEach(this::release);
    super.close(options);
  }
}
