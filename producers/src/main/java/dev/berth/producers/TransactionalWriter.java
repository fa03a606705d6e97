package dev.berth.producers;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes records in one transaction at a time. Owned by one thread.
 *
 * <p>After any failure the producer is given up and the next write begins with a new one: its
 * initialisation ends whatever the old one left open, so that an unknown outcome becomes a known
 * one before anything is written again.
 */
final class TransactionalWriter implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(TransactionalWriter.class);

  private final Supplier<? extends Producer<String, byte[]>> producers;
  private final Duration transactionTimeout;
  private final Clock clock;
  private @Nullable Producer<String, byte[]> producer;

  /**
   * Prepares; nothing is sent yet.
   *
   * @param producers makes transactional producers, all with the same transactional id
   * @param transactionTimeout how long a broker lets their transactions stay open
   */
  TransactionalWriter(
      Supplier<? extends Producer<String, byte[]>> producers,
      Duration transactionTimeout,
      Clock clock) {
    this.producers = producers;
    this.transactionTimeout = transactionTimeout;
    this.clock = clock;
  }

  /**
   * Takes over from whoever wrote before under the same transactional id.
   *
   * @throws KafkaException when the cluster does not answer or refuses
   */
  void open() {
    producer();
  }

  /**
   * Writes all or nothing, or fails without knowing.
   *
   * @throws TransactionFailedException with what follows from it
   */
  // Failures of single sends come back from the commit.
  @SuppressWarnings("FutureReturnValueIgnored")
  void write(List<ProducerRecord<String, byte[]>> records) {
    Instant began = clock.instant();
    try {
      Producer<String, byte[]> current = producer();
      began = clock.instant();
      current.beginTransaction();
      records.forEach(current::send);
      current.commitTransaction();
    } catch (KafkaException | IllegalStateException e) {
      discard();
      boolean expired = Duration.between(began, clock.instant()).compareTo(transactionTimeout) >= 0;
      throw new TransactionFailedException(WriteFailure.of(e, expired), e);
    }
  }

  @Override
  public void close() {
    discard();
  }

  private Producer<String, byte[]> producer() {
    Producer<String, byte[]> current = producer;
    if (current == null) {
      current = producers.get();
      // First kept, then initialised: a failed initialisation must not leave it open unseen.
      producer = current;
      try {
        current.initTransactions();
      } catch (KafkaException e) {
        discard();
        throw e;
      }
    }
    return current;
  }

  private void discard() {
    Producer<String, byte[]> old = producer;
    producer = null;
    if (old != null) {
      try {
        old.close(Duration.ZERO);
      } catch (KafkaException e) {
        log.debug("a producer that is given up did not close cleanly", e);
      }
    }
  }

  /** A transaction did not go through, as far as is known. */
  static final class TransactionFailedException extends RuntimeException {
    private final WriteFailure failure;

    TransactionFailedException(WriteFailure failure, Throwable cause) {
      super(cause.getMessage(), cause);
      this.failure = failure;
    }

    WriteFailure failure() {
      return failure;
    }
  }
}
