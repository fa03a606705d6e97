package dev.berth.bench.latency;

import dev.berth.producers.Connection;
import dev.berth.schemas.topics.Topic;
import dev.berth.workers.kafka.KafkaClients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A consumer that accepts each record of work in a transaction, as Berth's workers do, and calls
 * nobody. Its clients have the settings of a worker's.
 */
final class BareWorker implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Connection connection;
  private final Accepted accepted;
  private final KafkaConsumer<String, byte[]> consumer;
  private final Thread thread;
  private volatile boolean closing;

  /** Who is told of records whose transaction is committed. */
  interface Accepted {
    /** The record would be called now. */
    void accepted(ConsumerRecord<String, byte[]> record);
  }

  BareWorker(Connection connection, Accepted accepted) {
    this.connection = connection;
    this.accepted = accepted;
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("group.id", connection.topics().prefix() + ".bare-worker");
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", false);
    settings.put("auto.offset.reset", "earliest");
    settings.put("session.timeout.ms", (int) KafkaClients.SESSION_TIMEOUT.toMillis());
    settings.put("heartbeat.interval.ms", 2_000);
    this.consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
    this.thread = new Thread(this::run, "bare-worker");
    thread.start();
  }

  private void run() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("transactional.id", connection.topics().prefix() + "-bare-worker");
    settings.put("transaction.timeout.ms", 10_000);
    settings.put("retry.backoff.ms", 10);
    settings.put("linger.ms", 0);
    settings.put("acks", "all");
    try (consumer;
        KafkaProducer<String, byte[]> producer =
            new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      consumer.subscribe(List.of(connection.topics().name(Topic.PLUGIN_WORK)));
      while (!closing) {
        accept(producer, consumer.poll(POLL));
      }
    } catch (WakeupException | InterruptException e) {
      if (!closing) {
        throw e;
      }
    }
  }

  private void accept(
      KafkaProducer<String, byte[]> producer, ConsumerRecords<String, byte[]> polled) {
    if (polled.isEmpty()) {
      return;
    }
    List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
    polled.forEach(records::add);
    String topic = connection.topics().name(Topic.WORK_ACCEPTANCES);
    producer.beginTransaction();
    for (ConsumerRecord<String, byte[]> record : records) {
      // The commit fails when one of them was not written.
      Future<RecordMetadata> unused =
          producer.send(new ProducerRecord<>(topic, record.key(), record.value()));
    }
    producer.sendOffsetsToTransaction(polled.nextOffsets(), consumer.groupMetadata());
    producer.commitTransaction();
    records.forEach(accepted::accepted);
  }

  @Override
  public void close() {
    closing = true;
    consumer.wakeup();
    try {
      thread.join(Duration.ofSeconds(20).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
