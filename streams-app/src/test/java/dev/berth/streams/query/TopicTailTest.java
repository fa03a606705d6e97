package dev.berth.streams.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.schemas.topics.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What was written about a key lately")
class TopicTailTest {
  private static final String TOPIC = "berth.claim-history";
  private static final String KEY = "prod/db";
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final int PARTITION = Keys.partition(KEY, 2);

  private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");

  @Test
  @DisplayName("is found in its partition, in order, other keys and older records left out")
  void found() {
    topic(0, 4);
    record(0, "prod/db", "old", NOW.minusSeconds(100));
    record(1, "prod/db", "first", NOW.minusSeconds(10));
    record(2, "prod/other", "other", NOW.minusSeconds(9));
    record(3, "prod/db", "second", NOW.minusSeconds(8));

    TopicTail.Tail<String> tail = read(100_000, NOW.minusSeconds(60));

    assertThat(tail)
        .isEqualTo(
            new TopicTail.Tail<>(
                List.of(
                    new TopicTail.Found<>(PARTITION, 1, NOW.minusSeconds(10), "first"),
                    new TopicTail.Found<>(PARTITION, 3, NOW.minusSeconds(8), "second")),
                false));
  }

  @Test
  @DisplayName("is truncated where the bound of offsets ends the search")
  void truncated() {
    topic(0, 20_000);
    record(19_999, "prod/db", "last", NOW.minusSeconds(1));

    TopicTail.Tail<String> tail = read(1, NOW.minusSeconds(60));

    assertThat(tail.records()).extracting(TopicTail.Found::value).containsExactly("last");
    assertThat(tail.truncated()).isTrue();
  }

  @Test
  @DisplayName("is nothing on an empty partition")
  void empty() {
    topic(7, 7);

    assertThat(read(100_000, Instant.EPOCH)).isEqualTo(new TopicTail.Tail<>(List.of(), false));
  }

  private TopicTail.Tail<String> read(long most, Instant since) {
    return new TopicTail(consumer, InstantSource.fixed(NOW), most)
        .read(TOPIC, KEY, KEY, since, NOW.plus(Duration.ofSeconds(5)), new StringDeserializer());
  }

  private void topic(long begin, long end) {
    Node node = new Node(0, "127.0.0.1", 1);
    List<PartitionInfo> infos =
        List.of(
            new PartitionInfo(TOPIC, 0, node, new Node[0], new Node[0]),
            new PartitionInfo(TOPIC, 1, node, new Node[0], new Node[0]));
    TopicPartition partition = new TopicPartition(TOPIC, PARTITION);
    consumer.updatePartitions(TOPIC, infos);
    consumer.assign(List.of(partition));
    consumer.updateBeginningOffsets(Map.of(partition, begin));
    consumer.updateEndOffsets(Map.of(partition, end));
  }

  private void record(long offset, String key, String value, Instant at) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    consumer.schedulePollTask(
        () ->
            consumer.addRecord(
                new ConsumerRecord<>(
                    TOPIC,
                    PARTITION,
                    offset,
                    at.toEpochMilli(),
                    TimestampType.CREATE_TIME,
                    key.length(),
                    bytes.length,
                    key,
                    bytes,
                    new RecordHeaders(),
                    Optional.empty())));
  }
}
