package dev.berth.bench.table;

import dev.berth.producers.Connection;
import dev.berth.records.Acceptance;
import dev.berth.records.Outcome;
import dev.berth.records.Work;
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
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Accepts every attempt and reports it done, at once: the least that a worker costs, for Berth and
 * the bare hop alike. Without transactions, since nothing is ever called.
 */
final class Responder implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Topics topics;
  private final AvroSerde<Work> works;
  private final AvroSerde<Acceptance> acceptances;
  private final AvroSerde<Outcome> outcomes;
  private final KafkaConsumer<String, byte[]> consumer;
  private final KafkaProducer<String, byte[]> producer;
  private final Thread thread;

  /** Begins with what is written from now on. */
  Responder(Connection connection, Registry registry) {
    topics = connection.topics();
    works = AvroSerde.of(registry, Work.class);
    acceptances = AvroSerde.of(registry, Acceptance.class);
    outcomes = AvroSerde.of(registry, Outcome.class);
    consumer =
        new KafkaConsumer<>(
            committed(connection), new StringDeserializer(), new ByteArrayDeserializer());
    toEnd(consumer, topics, Topic.PLUGIN_WORK);
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("linger.ms", 5);
    settings.put("batch.size", 65_536);
    producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
    thread = new Thread(this::run, "responder-" + topics.prefix());
    thread.start();
  }

  /** Settings of a consumer without a group that sees committed records only. */
  static Map<String, Object> committed(Connection connection) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", false);
    settings.put("max.poll.records", 5_000);
    return settings;
  }

  /** Lets a consumer read what is written to a topic from now on. */
  static void toEnd(KafkaConsumer<?, ?> consumer, Topics topics, Topic... read) {
    List<TopicPartition> partitions =
        List.of(read).stream()
            .flatMap(topic -> consumer.partitionsFor(topics.name(topic)).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    // It goes there only when it is asked where it is.
    partitions.forEach(consumer::position);
  }

  private void run() {
    try (consumer;
        producer) {
      while (true) {
        for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
          Work work = works.deserializer().deserialize(record.topic(), record.value());
          answer(work, Instant.now().truncatedTo(ChronoUnit.MILLIS));
        }
      }
    } catch (WakeupException closed) {
      return;
    }
  }

  private void answer(Work work, Instant now) {
    Acceptance acceptance = Answers.acceptance(work, now);
    send(Topic.WORK_ACCEPTANCES, work.getPlugin(), acceptances, acceptance);
    for (Outcome outcome : Answers.outcomes(work, acceptance, now)) {
      send(Topic.WORK_OUTCOMES, work.getPlugin(), outcomes, outcome);
    }
  }

  private <A extends SpecificRecord> void send(
      Topic topic, String key, AvroSerde<A> serde, A value) {
    String name = topics.name(topic);
    // What is not written is missed by those who wait for the end of the lives.
    Future<RecordMetadata> unused =
        producer.send(new ProducerRecord<>(name, key, serde.serializer().serialize(name, value)));
  }

  @Override
  public void close() {
    consumer.wakeup();
    try {
      thread.join(Duration.ofSeconds(20).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
