package dev.berth.producers;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Writes single records without a transaction. Safe for use by many threads. */
final class RecordSender implements AutoCloseable {

  private static final Duration CLOSING = Duration.ofSeconds(10);

  /** Brokers take a megabyte unless told otherwise; the rest is for headers and framing. */
  private static final int LARGEST_VALUE = 900_000;

  private final Producer<String, byte[]> producer;

  RecordSender(Producer<String, byte[]> producer) {
    this.producer = producer;
  }

  /**
   * Writes a record.
   *
   * @param value null for a tombstone
   * @return completes when the cluster has it; fails with {@link WriteFailedException}
   * @throws InvalidEventException when it is larger than a topic takes
   */
  // The callback hears all that the producer's own future would say.
  @SuppressWarnings("FutureReturnValueIgnored")
  CompletableFuture<Void> send(String topic, String key, byte @Nullable [] value) {
    if (value != null && value.length > LARGEST_VALUE) {
      throw new InvalidEventException(
          "record '" + key + "'",
          "has " + value.length + " bytes",
          LARGEST_VALUE + " are allowed; shorten its maps and lists");
    }
    CompletableFuture<Void> written = new CompletableFuture<>();
    try {
      producer.send(
          new ProducerRecord<>(topic, key, value),
          (metadata, failure) -> {
            if (failure == null) {
              written.complete(null);
            } else {
              written.completeExceptionally(notConfirmed(key, failure));
            }
          });
    } catch (KafkaException | IllegalStateException e) {
      written.completeExceptionally(notConfirmed(key, e));
    }
    return written;
  }

  @Override
  public void close() {
    producer.close(CLOSING);
  }

  private static WriteFailedException notConfirmed(String key, Exception failure) {
    return new WriteFailedException(
        "record '%s' was not confirmed; it may have been written, send it again: %s"
            .formatted(key, failure.getMessage()),
        failure);
  }
}
