package dev.berth.workers.accept;

import dev.berth.records.Acceptance;
import dev.berth.schemas.headers.Origin;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.workers.accept.Polled.Unreadable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction that makes an acceptance durable: acceptances and the consumer's offsets, or
 * neither.
 *
 * <pre>
 *            prepare                commit, no error
 *  UNREADY ──────────► READY ─────────────────────────► READY
 *     ▲                  │ any error in a transaction
 *     └──────────────────┘
 * </pre>
 *
 * <p>After an error nobody may assume anything of the transaction. The producer is thrown away; the
 * next one has the same transactional id, so that preparing it decides the transaction that was
 * left open, and what the group's committed offsets say afterwards is what happened.
 *
 * <p>Confined to the thread of the accept loop.
 */
final class AcceptTransaction implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(AcceptTransaction.class);

  /**
   * What a producer sends unless told otherwise, less the rest of the record (bytes). A larger one
   * would fail the transaction each time, and nothing behind it would ever be accepted.
   */
  private static final int LARGEST_REJECTED = 900_000;

  private final Supplier<Producer<String, byte[]>> producers;
  private final Topics topics;
  private final Serializer<Acceptance> serializer;
  private @Nullable Producer<String, byte[]> ready;
  private boolean fenced;

  /**
   * @param producers makes producers with one and the same transactional id
   */
  AcceptTransaction(
      Supplier<Producer<String, byte[]>> producers,
      Topics topics,
      Serializer<Acceptance> serializer) {
    this.producers = producers;
    this.topics = topics;
    this.serializer = serializer;
  }

  boolean isReady() {
    return ready != null;
  }

  /** Returns whether the last transaction failed because a newer producer has the id. */
  boolean wasFenced() {
    return fenced;
  }

  /** Takes a new producer; decides what an earlier one has left open. */
  void prepare() {
    Producer<String, byte[]> producer = producers.get();
    try {
      producer.initTransactions();
      ready = producer;
      fenced = false;
    } finally {
      if (ready == null) {
        producer.close(Duration.ZERO);
      }
    }
  }

  /**
   * Writes the acceptances and offsets in one transaction.
   *
   * @return true only when it is known to be committed; otherwise nothing may be called, and {@link
   *     #prepare} comes next
   */
  boolean commit(
      List<Accepted> accepted,
      List<Unreadable> rejected,
      Map<TopicPartition, OffsetAndMetadata> offsets,
      ConsumerGroupMetadata group) {
    Producer<String, byte[]> producer = ready;
    if (producer == null) {
      throw new IllegalStateException("no producer: prepare() first");
    }
    // Made before the transaction begins: without a registry there is nothing to undo.
    List<ProducerRecord<String, byte[]>> records = records(accepted, rejected);
    try {
      producer.beginTransaction();
      for (ProducerRecord<String, byte[]> record : records) {
        // The commit fails when one of them was not written.
        Future<RecordMetadata> unused = producer.send(record);
      }
      producer.sendOffsetsToTransaction(offsets, group);
      producer.commitTransaction();
      return true;
    } catch (RuntimeException e) {
      log.warn(
          "accept transaction not known to be committed, nothing is called attempts={} error={}",
          accepted.stream().map(a -> a.work().getAttemptId()).toList(),
          e.toString());
      ready = null;
      fenced = e instanceof InvalidProducerEpochException || e instanceof ProducerFencedException;
      producer.close(Duration.ZERO);
      return false;
    }
  }

  @Override
  public void close() {
    if (ready != null) {
      ready.close(Duration.ofSeconds(5));
      ready = null;
    }
  }

  private List<ProducerRecord<String, byte[]>> records(
      List<Accepted> accepted, List<Unreadable> rejected) {
    List<ProducerRecord<String, byte[]>> records = new ArrayList<>();
    String topic = topics.name(Topic.WORK_ACCEPTANCES);
    for (Accepted each : accepted) {
      Acceptance acceptance = each.acceptance();
      records.add(
          new ProducerRecord<>(
              topic,
              null,
              acceptance.getPlugin(),
              serializer.serialize(topic, acceptance),
              each.times().headers()));
    }
    rejected.forEach(each -> records.add(rejectedRecord(each)));
    return records;
  }

  private ProducerRecord<String, byte[]> rejectedRecord(Unreadable unreadable) {
    ConsumerRecord<String, byte[]> source = unreadable.record();
    byte[] value = source.value();
    boolean kept = value == null || value.length <= LARGEST_REJECTED;
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(
            topics.name(Topic.REJECTED_RECORDS), source.key(), kept ? value : null);
    if (!kept) {
      Origin.text(record.headers(), "berth.omitted.bytes", Integer.toString(value.length));
    }
    new Origin(source.topic(), source.partition(), source.offset()).addTo(record.headers());
    Origin.text(record.headers(), "berth.reason", unreadable.reason());
    return record;
  }
}
