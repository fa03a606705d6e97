package dev.berth.producers;

import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.serde.UnreadableRecordException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads every answer that is committed from now on, whoever it is for. No consumer group: each
 * process needs all partitions, and has no use for answers to questions of an earlier one.
 *
 * <p>Made on one thread, which also learns where the topic ends, so that nothing asked afterwards
 * can be missed; then its own thread owns the consumer.
 *
 * @param <A> the answer
 */
final class AnswerReader<A> implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(AnswerReader.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration CLOSING = Duration.ofSeconds(5);
  private static final Duration LOOK_FOR_PARTITIONS = Duration.ofMinutes(1);

  private final Consumer<String, byte[]> consumer;
  private final String topic;
  private final Deserializer<A> deserializer;
  private final java.util.function.Consumer<A> receiver;
  private final InstantSource clock;
  private final Thread thread;
  private Instant partitionsSeen;
  private volatile boolean closing;

  /**
   * Finds the topic's end and starts to read.
   *
   * @param consumer without a group; closed with this
   * @param receiver gets each answer on the reading thread
   * @throws IllegalStateException when the topic does not exist
   * @throws KafkaException when the cluster does not answer or refuses
   */
  AnswerReader(
      Consumer<String, byte[]> consumer,
      String topic,
      Deserializer<A> deserializer,
      java.util.function.Consumer<A> receiver,
      InstantSource clock,
      String threadName) {
    this.consumer = consumer;
    this.topic = topic;
    this.deserializer = deserializer;
    this.receiver = receiver;
    this.clock = clock;
    this.partitionsSeen = clock.instant();
    try {
      goToTheEnd();
    } catch (RuntimeException e) {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
      throw e;
    }
    this.thread = new Thread(this::run, threadName);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    closing = true;
    consumer.wakeup();
    try {
      thread.join(CLOSING.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }

  private void run() {
    try {
      while (!closing) {
        step();
      }
    } catch (InterruptedException | InterruptException e) {
      log.debug("reading answers was interrupted topic={}", topic);
    } catch (RuntimeException | Error e) {
      log.error("reading answers failed; none will arrive any more topic={}", topic, e);
    } finally {
      // There is no group to leave: nothing to wait for.
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  private void step() throws InterruptedException {
    try {
      takeNewPartitions();
      for (ConsumerRecord<String, byte[]> message : consumer.poll(POLL)) {
        receive(message);
      }
    } catch (WakeupException e) {
      log.debug("reading answers was woken up topic={} closing={}", topic, closing);
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      log.warn("reading answers failed and is tried again topic={}", topic, e);
      TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
    }
  }

  private void receive(ConsumerRecord<String, byte[]> message) throws InterruptedException {
    while (!closing) {
      try {
        A answer = deserializer.deserialize(topic, message.value());
        if (answer != null) {
          receiver.accept(answer);
        }
        return;
      } catch (UnreadableRecordException e) {
        log.warn(
            "an answer cannot be read partition={} offset={}",
            message.partition(),
            message.offset(),
            e);
        return;
      } catch (RegistryUnavailableException e) {
        // Somebody may wait for this very answer: the registry decides when it can be read.
        log.warn("answers wait for the schema registry reason={}", e.getMessage());
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      }
    }
  }

  private void goToTheEnd() {
    Set<TopicPartition> partitions = partitions();
    if (partitions.isEmpty()) {
      throw new IllegalStateException(
          "topic " + topic + " does not exist: provision Berth's topics first");
    }
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    // The seek is carried out on demand: now, not at the first poll.
    partitions.forEach(consumer::position);
  }

  /** Somebody may give the topic more partitions; answers there would be lost unseen. */
  private void takeNewPartitions() {
    Instant now = clock.instant();
    if (now.isBefore(partitionsSeen.plus(LOOK_FOR_PARTITIONS))) {
      return;
    }
    partitionsSeen = now;
    Set<TopicPartition> present = partitions();
    List<TopicPartition> added = new ArrayList<>(present);
    added.removeAll(consumer.assignment());
    if (!added.isEmpty()) {
      Set<TopicPartition> all = new HashSet<>(consumer.assignment());
      all.addAll(added);
      consumer.assign(all);
      consumer.seekToBeginning(added);
      log.info("answers have new partitions topic={} added={}", topic, added.size());
    }
  }

  private Set<TopicPartition> partitions() {
    Set<TopicPartition> partitions = new HashSet<>();
    for (PartitionInfo partition : consumer.partitionsFor(topic)) {
      partitions.add(new TopicPartition(topic, partition.partition()));
    }
    return partitions;
  }
}
