package dev.berth.bench.latency;

import dev.berth.bench.load.Latencies;
import dev.berth.producers.Connection;
import dev.berth.schemas.headers.Step;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of a claim goes: each reply says in its headers when the steps before it were. By
 * the wall clock of whoever made the step, to a millisecond.
 */
final class ReplySteps {
  private static final Duration POLL = Duration.ofMillis(200);

  private ReplySteps() {}

  /**
   * Reads the replies to claims that were attached.
   *
   * @param since replies before this are not looked at
   * @return by step: how long after the step before it
   */
  static Map<Step, Latencies> read(Connection connection, Instant since) {
    Map<String, Object> settings = new HashMap<>(connection.kafka());
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, connection.bootstrapServers());
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    String topic = connection.topics().name(Topic.CLAIM_REPLIES);
    Map<Step, Latencies> found = new EnumMap<>(Step.class);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      Map<TopicPartition, Long> times =
          partitions.stream()
              .collect(Collectors.toMap(Function.identity(), it -> since.toEpochMilli()));
      consumer
          .offsetsForTimes(times)
          .forEach(
              (partition, first) ->
                  consumer.seek(partition, offset(first, ends.getOrDefault(partition, 0L))));
      while (partitions.stream()
          .anyMatch(it -> consumer.position(it) < ends.getOrDefault(it, 0L))) {
        consumer.poll(POLL).forEach(record -> note(record, found));
      }
    }
    return found;
  }

  private static long offset(@Nullable OffsetAndTimestamp first, long end) {
    return first == null ? end : first.offset();
  }

  private static void note(ConsumerRecord<byte[], byte[]> record, Map<Step, Latencies> found) {
    note(StepTimes.of(record.headers()), found);
  }

  /** Takes note of the steps of one reply, if a call was made for it. */
  static void note(StepTimes times, Map<Step, Latencies> found) {
    if (!times.at().containsKey(Step.RPC_STARTED)) {
      return;
    }
    Instant before = null;
    for (Step step : Step.values()) {
      Instant at = times.at().get(step);
      if (at != null && before != null) {
        Duration took = Duration.between(before, at);
        found
            .computeIfAbsent(step, unused -> new Latencies())
            .add(took.isNegative() ? Duration.ZERO : took);
      }
      before = at == null ? before : at;
    }
  }
}
