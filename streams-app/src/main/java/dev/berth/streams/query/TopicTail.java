package dev.berth.streams.query;

import dev.berth.schemas.serde.UnreadableRecordException;
import dev.berth.schemas.topics.Keys;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads what was written about one key lately: the one partition of it, from its end backwards, in
 * slices, as far as asked and no further than its bounds. A partition has the records of many keys,
 * and days of them; the last ones are what somebody asks about.
 */
final class TopicTail {
  /** Offsets of one slice (count). */
  private static final long SLICE = 5_000;

  private static final Duration POLL = Duration.ofMillis(200);

  private final Consumer<String, byte[]> consumer;
  private final InstantSource clock;
  private final long most;

  /**
   * Prepares; the consumer stays the caller's.
   *
   * @param most offsets to look at in one partition at most (count)
   */
  TopicTail(Consumer<String, byte[]> consumer, InstantSource clock, long most) {
    this.consumer = consumer;
    this.clock = clock;
    this.most = most;
  }

  /**
   * A record that was found.
   *
   * @param partition partition
   * @param offset offset
   * @param at its time on the topic
   * @param value its value
   * @param <A> type of the value
   */
  record Found<A>(int partition, long offset, Instant at, A value) {}

  /**
   * What was found.
   *
   * @param records in the order of the topic
   * @param truncated whether a bound was reached before the time asked for
   */
  record Tail<A>(List<Found<A>> records, boolean truncated) {}

  /**
   * Reads.
   *
   * @param topic name of the topic
   * @param partitionKey part of the key that decides the partition
   * @param key key of the records wanted
   * @param since time before which nothing is wanted
   * @param until when to have done, by the clock
   */
  <A> Tail<A> read(
      String topic,
      String partitionKey,
      String key,
      Instant since,
      Instant until,
      Deserializer<A> values) {
    int count = consumer.partitionsFor(topic).size();
    TopicPartition partition = new TopicPartition(topic, Keys.partition(partitionKey, count));
    consumer.assign(List.of(partition));
    long begin = offset(consumer.beginningOffsets(Set.of(partition)), partition);
    long end = offset(consumer.endOffsets(Set.of(partition)), partition);
    Deque<List<Found<A>>> slices = new ArrayDeque<>();
    long high = end;
    boolean reached = false;
    while (high > begin && !reached && end - high < most && clock.instant().isBefore(until)) {
      long low = Math.max(begin, high - SLICE);
      Slice<A> slice = slice(partition, low, high, key, values, until);
      slices.addFirst(slice.found());
      reached = slice.oldest().isBefore(since);
      high = low;
    }
    List<Found<A>> all = new ArrayList<>();
    slices.forEach(slice -> slice.stream().filter(f -> !f.at().isBefore(since)).forEach(all::add));
    return new Tail<>(all, !reached && high > begin);
  }

  private record Slice<A>(List<Found<A>> found, Instant oldest) {}

  private <A> Slice<A> slice(
      TopicPartition partition,
      long low,
      long high,
      String key,
      Deserializer<A> values,
      Instant until) {
    List<Found<A>> found = new ArrayList<>();
    Instant oldest = Instant.MAX;
    consumer.seek(partition, low);
    // Marks of transactions take offsets too: the position tells where the slice ends.
    while (consumer.position(partition) < high && clock.instant().isBefore(until)) {
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL).records(partition)) {
        Instant at = Instant.ofEpochMilli(record.timestamp());
        if (record.offset() < high) {
          oldest = at.isBefore(oldest) ? at : oldest;
          if (key.equals(record.key()) && record.value() != null) {
            add(found, record, at, values);
          }
        }
      }
    }
    return new Slice<>(found, oldest);
  }

  /** What nobody can read was put aside by the processors too, and caused nothing. */
  private static <A> void add(
      List<Found<A>> found,
      ConsumerRecord<String, byte[]> record,
      Instant at,
      Deserializer<A> values) {
    try {
      A value = values.deserialize(record.topic(), record.value());
      if (value != null) {
        found.add(new Found<>(record.partition(), record.offset(), at, value));
      }
    } catch (UnreadableRecordException e) {
      return;
    }
  }

  private static long offset(Map<TopicPartition, Long> offsets, TopicPartition partition) {
    return offsets.getOrDefault(partition, 0L);
  }
}
