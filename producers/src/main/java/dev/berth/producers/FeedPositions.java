package dev.berth.producers;

import dev.berth.records.FeedPosition;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * How far feeders have come. A {@link Scheduler} writes positions with the events they speak of.
 *
 * <p>Read a position only after the scheduler has been started: its start ends the transaction that
 * a killed predecessor left open, one way or the other, so that what is read afterwards stays.
 */
public final class FeedPositions {

  private static final Duration POLL = Duration.ofMillis(200);

  private FeedPositions() {}

  /**
   * Reads the position from which a scheduler's feed goes on.
   *
   * @return empty when the feed has not begun
   * @throws IllegalStateException when Berth's topics do not exist, or the feed is that of another
   *     scheduler
   * @throws org.apache.kafka.common.KafkaException when the cluster does not answer or refuses
   */
  public static Optional<FeedPosition> read(SchedulerConfig config, String feed) {
    Optional<FeedPosition> position = read(config.connection(), feed);
    position.ifPresent(there -> requireSame(there, config.schedulerId()));
    return position;
  }

  /** A claim is its scheduler's: under another one the feed would claim everything anew. */
  static void requireSame(FeedPosition position, String scheduler) {
    position
        .getScheduler()
        .filter(other -> !other.equals(scheduler))
        .ifPresent(
            other -> {
              throw new IllegalStateException(
                  "feed '%s' was begun as scheduler '%s', not '%s': go on as that scheduler, or give another feed id"
                      .formatted(position.getFeed(), other, scheduler));
            });
  }

  /**
   * Reads the position of a feed, whichever scheduler's.
   *
   * @return empty when the feed has not begun
   * @throws IllegalStateException when Berth's topics do not exist
   * @throws org.apache.kafka.common.KafkaException when the cluster does not answer or refuses
   */
  public static Optional<FeedPosition> read(Connection connection, String feed) {
    String topic = connection.topics().name(Topic.FEED_POSITIONS);
    try (Consumer<String, byte[]> consumer =
            new KafkaConsumer<>(KafkaSettings.consumer(connection));
        Registry registry = Registry.connect(connection.registry())) {
      return read(consumer, topic, feed)
          .map(
              value ->
                  decode(AvroSerde.of(registry, FeedPosition.class).deserializer(), topic, value));
    }
  }

  private static Optional<byte[]> read(
      Consumer<String, byte[]> consumer, String topic, String feed) {
    int partitions = consumer.partitionsFor(topic).size();
    if (partitions == 0) {
      throw new IllegalStateException(
          "topic %s does not exist; provision Berth's topics first".formatted(topic));
    }
    TopicPartition partition = new TopicPartition(topic, Keys.partition(feed, partitions));
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    Long end = consumer.endOffsets(List.of(partition)).get(partition);
    Optional<byte[]> last = Optional.empty();
    while (end != null && consumer.position(partition) < end) {
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
        if (feed.equals(record.key())) {
          last = Optional.ofNullable(record.value());
        }
      }
    }
    return last;
  }

  private static FeedPosition decode(
      Deserializer<FeedPosition> deserializer, String topic, byte[] value) {
    return deserializer.deserialize(topic, value);
  }
}
