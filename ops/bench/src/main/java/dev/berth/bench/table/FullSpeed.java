package dev.berth.bench.table;

import dev.berth.producers.Connection;
import dev.berth.records.AllocEvent;
import dev.berth.records.ClaimReply;
import dev.berth.records.ReplyOutcome;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Lets an application work at full speed: all claims of a batch are written in one transaction, so
 * that they can be read all at once when it ends; when all are granted, all ends. The time of the
 * producer is none of it.
 */
final class FullSpeed implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Topics topics;
  private final AvroSerde<AllocEvent> events;
  private final AvroSerde<ClaimReply> replies;
  private final KafkaProducer<String, byte[]> producer;
  private final KafkaConsumer<String, byte[]> consumer;

  /** Connects. */
  FullSpeed(Connection connection, Registry registry) {
    topics = connection.topics();
    events = AvroSerde.of(registry, AllocEvent.class);
    replies = AvroSerde.of(registry, ClaimReply.class);
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("transactional.id", topics.prefix() + "-load");
    settings.put("transaction.timeout.ms", 300_000);
    settings.put("linger.ms", 20);
    settings.put("batch.size", 262_144);
    producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
    producer.initTransactions();
    consumer =
        new KafkaConsumer<>(
            Responder.committed(connection), new StringDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * Times of a batch.
   *
   * @param lives lives in it (count)
   * @param claims until all were granted
   * @param ends until all were released
   */
  record Times(int lives, Duration claims, Duration ends) {
    /** Claim and end events in a second. */
    double rate() {
      return Events.OF_A_LIFE * lives / (claims.plus(ends).toNanos() / 1e9);
    }
  }

  /**
   * Lets a batch live.
   *
   * @param use which of the allocs that use them one after the other, from 1
   * @throws IllegalStateException when it takes minutes
   */
  Times run(List<TableVolume> batch, int use) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    Duration claims =
        time(
            batch,
            volume -> List.of(Events.claim(volume, use, now)),
            Topic.CLAIM_REPLIES,
            this::grants);
    Duration ends =
        time(
            batch,
            volume -> Events.end(volume, use, now),
            Topic.CLAIMS,
            record -> record.value() == null);
    return new Times(batch.size(), claims, ends);
  }

  private boolean grants(ConsumerRecord<String, byte[]> record) {
    ClaimReply reply = replies.deserializer().deserialize(record.topic(), record.value());
    if (reply.getOutcome() == ReplyOutcome.REJECTED) {
      throw new IllegalStateException("a claim was rejected: " + reply);
    }
    return reply.getOutcome() == ReplyOutcome.GRANTED;
  }

  private Duration time(
      List<TableVolume> batch,
      Function<TableVolume, List<AllocEvent>> said,
      Topic topic,
      Predicate<ConsumerRecord<String, byte[]>> ends) {
    Responder.toEnd(consumer, topics, topic);
    String name = topics.name(Topic.ALLOC_EVENTS);
    producer.beginTransaction();
    for (TableVolume volume : batch) {
      for (AllocEvent event : said.apply(volume)) {
        byte[] value = events.serializer().serialize(name, event);
        // The commit fails when one of them was not written.
        Future<RecordMetadata> unused =
            producer.send(new ProducerRecord<>(name, volume.key(), value));
      }
    }
    producer.flush();
    long begin = System.nanoTime();
    producer.commitTransaction();
    await(batch.size(), topic, ends, begin);
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private void await(
      int count, Topic topic, Predicate<ConsumerRecord<String, byte[]>> ends, long begin) {
    int seen = 0;
    while (seen < count) {
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
        if (ends.test(record)) {
          seen++;
        }
      }
      if (System.nanoTime() - begin > PATIENCE.toNanos()) {
        throw new IllegalStateException(
            "%d of %d lives came to %s in %d min"
                .formatted(seen, count, topics.name(topic), PATIENCE.toMinutes()));
      }
    }
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }
}
