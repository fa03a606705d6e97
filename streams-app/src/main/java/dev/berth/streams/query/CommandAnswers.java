package dev.berth.streams.query;

import dev.berth.records.CommandResult;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.serde.UnreadableRecordException;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.codec.CommandCodecs;
import dev.berth.streams.command.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the answers on {@code command-results} to those of this instance who wait for them. Its
 * thread owns the consumer; everything else may be called by any thread.
 */
final class CommandAnswers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CommandAnswers.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration KEPT = Duration.ofHours(1);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Map<String, CompletableFuture<Answer>> open = new ConcurrentHashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Consumer<String, byte[]> consumer;
  private final Deserializer<CommandResult> values;
  private final Thread thread;

  /**
   * Learns where the topic ends, so that nothing asked from now on is missed, and begins to read.
   *
   * @throws KafkaException when the brokers do not answer
   */
  CommandAnswers(TopicAccess access) {
    values = AvroSerde.of(access.registry(), CommandResult.class).deserializer();
    consumer = access.consumers().get();
    try {
      List<TopicPartition> partitions =
          consumer.partitionsFor(access.topics().name(Topic.COMMAND_RESULTS)).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToEnd(partitions);
      partitions.forEach(consumer::position);
    } catch (RuntimeException e) {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
      throw e;
    }
    thread = new Thread(this::run, "berth-api-answers");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Waits for the answer to a command. Whoever asks for the same one waits for the same answer.
   *
   * @return the answer to come, and whether nobody waited for it before
   */
  Waiting await(String commandId) {
    CompletableFuture<Answer> fresh = new CompletableFuture<>();
    CompletableFuture<Answer> before = open.putIfAbsent(commandId, fresh);
    if (before == null) {
      keepFor(commandId, fresh);
    }
    return before == null ? new Waiting(fresh, true) : new Waiting(before, false);
  }

  /**
   * A command that was put aside as unreadable is never answered; that it was sent is remembered
   * for longer than anybody asks for it again at once.
   */
  @SuppressWarnings("FutureReturnValueIgnored")
  private void keepFor(String commandId, CompletableFuture<Answer> answer) {
    answer
        .orTimeout(KEPT.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((none, end) -> open.remove(commandId, answer));
  }

  /**
   * Somebody waits.
   *
   * @param answer completes on the reading thread
   * @param first whether nobody waited for it before
   */
  record Waiting(CompletableFuture<Answer> answer, boolean first) {}

  @Override
  public void close() {
    closing.countDown();
    consumer.wakeup();
  }

  private void run() {
    try {
      while (closing.getCount() > 0) {
        step();
      }
    } catch (InterruptedException | InterruptException e) {
      LOG.debug("reading answers was interrupted");
    } catch (RuntimeException e) {
      LOG.error("reading the answers to commands failed; none will arrive any more", e);
    } finally {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  private void step() throws InterruptedException {
    try {
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
        take(record);
      }
    } catch (WakeupException e) {
      LOG.debug("reading answers was woken up");
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      LOG.warn("reading the answers to commands failed and is tried again", e);
      pause();
    }
  }

  private void take(ConsumerRecord<String, byte[]> record) throws InterruptedException {
    CompletableFuture<Answer> waiting = open.get(record.key());
    while (waiting != null && closing.getCount() > 0) {
      try {
        CommandResult result = values.deserialize(record.topic(), record.value());
        if (result != null) {
          waiting.complete(CommandCodecs.ANSWER.decode().apply(result));
        }
        return;
      } catch (UnreadableRecordException e) {
        LOG.warn("an answer cannot be read offset={}", record.offset(), e);
        return;
      } catch (RegistryUnavailableException e) {
        // Somebody waits for this very answer: the registry decides when it can be read.
        pause();
      }
    }
  }

  private void pause() throws InterruptedException {
    if (closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
      LOG.debug("closing while answers cannot be read");
    }
  }
}
