package dev.berth.workers.outcome;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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
import org.apache.kafka.common.serialization.Serializer;
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
  private final ScheduledExecutorService again =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "report-again");
            thread.setDaemon(true);
            return thread;
          });
  private Producer<String, byte[]> current;

  /**
   * @param producers makes idempotent producers that retry without end
   */
  public ReportWriter(Supplier<Producer<String, byte[]>> producers) {
    this.producers = producers;
    this.current = producers.get();
  }

  /**
   * Writes a record.
   *
   * @return completes when it is written, never exceptionally
   */
  public <T> CompletableFuture<Void> write(
      String topic, String key, T record, Serializer<T> serializer) {
    Report<T> report = new Report<>(topic, key, record, serializer, new CompletableFuture<>());
    send(report);
    return report.written();
  }

  /** Writes what was handed over, for a few seconds; no more is handed over. */
  @Override
  public void close() {
    again.shutdownNow();
    producer().close(CLOSE);
  }

  private <T> void send(Report<T> report) {
    Producer<String, byte[]> producer = producer();
    try {
      byte[] value = report.serializer().serialize(report.topic(), report.record());
      Future<RecordMetadata> unused =
          producer.send(
              new ProducerRecord<>(report.topic(), report.key(), value),
              (metadata, error) -> {
                if (error == null) {
                  report.written().complete(null);
                } else {
                  failed(report, producer, error);
                }
              });
    } catch (RuntimeException e) {
      failed(report, producer, e);
    }
  }

  private void failed(Report<?> report, Producer<String, byte[]> producer, Exception error) {
    log.warn(
        "report not written yet topic={} key={} error={}",
        report.topic(),
        report.key(),
        error.toString());
    boolean ofTheRecord =
        error instanceof SerializationException || error instanceof RecordTooLargeException;
    if (!ofTheRecord) {
      replace(producer);
    }
    try {
      ScheduledFuture<?> unused =
          again.schedule(() -> send(report), AGAIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      log.warn("report lost by shutdown topic={} key={}", report.topic(), report.key());
    }
  }

  private synchronized Producer<String, byte[]> producer() {
    return current;
  }

  /** After some errors a producer refuses everything; which ones is not worth telling apart. */
  private synchronized void replace(Producer<String, byte[]> broken) {
    if (current == broken && !again.isShutdown()) {
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
      CompletableFuture<Void> written) {}
}
