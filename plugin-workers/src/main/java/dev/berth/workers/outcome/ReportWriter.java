package dev.berth.workers.outcome;

import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes records until they are written. The producer retries by itself for as long as it can; what
 * it gives back as failed is sent again, with a new producer where the old one is broken. A record
 * may therefore be written twice, which readers must tolerate.
 *
 * <p>Safe for use by many threads.
 */
public final class ReportWriter implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ReportWriter.class);
  private static final Duration AGAIN = Duration.ofMillis(500);
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final Supplier<Producer<String, byte[]>> producers;
  private final Clocks clocks;
  private final Set<Report<?>> unwritten = ConcurrentHashMap.newKeySet();

  /**
   * The one thread that replaces a producer. Kafka calls back in its own thread or in that of the
   * sender, and a close waits for both: whoever closed a producer in a callback, or while others
   * wait for the new one, could wait for itself.
   */
  private final ScheduledExecutorService again =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "report-again");
            thread.setDaemon(true);
            return thread;
          });

  private volatile Producer<String, byte[]> current;

  /**
   * @param producers makes idempotent producers that retry without end
   * @param clocks clocks of the process
   */
  public ReportWriter(Supplier<Producer<String, byte[]>> producers, Clocks clocks) {
    this.producers = producers;
    this.clocks = clocks;
    this.current = producers.get();
  }

  /**
   * Writes a record.
   *
   * @return completes when it is written, never exceptionally
   */
  public <T> CompletableFuture<Void> write(
      String topic, String key, T record, Serializer<T> serializer) {
    return write(topic, key, record, serializer, RecordHeaders::new);
  }

  /**
   * Writes a record with headers.
   *
   * @param headers makes them, anew each time it is sent
   * @return completes when it is written, never exceptionally
   */
  public <T> CompletableFuture<Void> write(
      String topic, String key, T record, Serializer<T> serializer, Supplier<Headers> headers) {
    Report<T> report =
        new Report<>(
            topic, key, record, serializer, headers, clocks.read(), new CompletableFuture<>());
    unwritten.add(report);
    send(report);
    return report.written();
  }

  /** Returns how long the oldest report has been waiting; empty when none waits. */
  public Optional<Duration> waitingSince() {
    Moment now = clocks.read();
    return unwritten.stream().map(report -> now.since(report.begun())).max(Duration::compareTo);
  }

  /** Writes what was handed over, for a few seconds; no more is handed over. */
  @Override
  public void close() {
    again.shutdownNow();
    current.close(CLOSE);
  }

  private <T> void send(Report<T> report) {
    Producer<String, byte[]> producer = current;
    try {
      byte[] value = report.serializer().serialize(report.topic(), report.record());
      Future<RecordMetadata> unused =
          producer.send(
              new ProducerRecord<>(
                  report.topic(), null, report.key(), value, report.headers().get()),
              (metadata, error) -> {
                if (error == null) {
                  unwritten.remove(report);
                  report.written().complete(null);
                } else {
                  failed(report, producer, error);
                }
              });
    } catch (RuntimeException e) {
      failed(report, producer, e);
    }
  }

  /** Only notes what is to be done, whatever thread it is called in. */
  private void failed(Report<?> report, Producer<String, byte[]> producer, Exception error) {
    log.warn(
        "report not written yet topic={} key={} error={}",
        report.topic(),
        report.key(),
        error.toString());
    boolean ofTheRecord =
        error instanceof SerializationException || error instanceof RecordTooLargeException;
    later(report, ofTheRecord ? null : producer);
  }

  /**
   * Sends a report again after a while.
   *
   * @param broken the producer to replace before that; null to keep it
   */
  private void later(Report<?> report, @Nullable Producer<String, byte[]> broken) {
    try {
      ScheduledFuture<?> unused =
          again.schedule(() -> sendAgain(report, broken), AGAIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      log.warn("report lost by shutdown topic={} key={}", report.topic(), report.key());
    }
  }

  private void sendAgain(Report<?> report, @Nullable Producer<String, byte[]> broken) {
    try {
      if (broken != null) {
        replace(broken);
      }
    } catch (RuntimeException e) {
      // Names of brokers that do not resolve, for example; the report must not be lost over it.
      log.warn("no new producer for reports yet error={}", e.toString());
      later(report, broken);
      return;
    }
    send(report);
  }

  /** After some errors a producer refuses everything; which ones is not worth telling apart. */
  private void replace(Producer<String, byte[]> broken) {
    if (current == broken) {
      current = producers.get();
      // What it still holds fails now and is sent again by the new one.
      broken.close(Duration.ZERO);
    }
  }

  private record Report<T>(
      String topic,
      String key,
      T record,
      Serializer<T> serializer,
      Supplier<Headers> headers,
      Moment begun,
      CompletableFuture<Void> written) {}
}
