package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.producers.TransactionalWriter.TransactionFailedException;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class TransactionalWriterTest {

  private static final List<ProducerRecord<String, byte[]>> RECORDS =
      List.of(record("default/v1"), record("default/v2"));

  private final FakeClock clock = new FakeClock("2026-01-01T00:00:00Z");
  private final List<MockProducer<String, byte[]>> producers = new ArrayList<>();
  private final TransactionalWriter writer =
      new TransactionalWriter(this::newProducer, Duration.ofSeconds(10), clock);

  @Test
  void writesAllRecordsInOneTransaction() {
    writer.write(RECORDS);
    writer.write(List.of(record("default/v3")));

    MockProducer<String, byte[]> producer = only();
    assertThat(producer.history())
        .extracting(ProducerRecord::key)
        .containsExactly("default/v1", "default/v2", "default/v3");
    assertThat(producer.commitCount()).isEqualTo(2);
  }

  @Test
  void takesANewProducerAfterACommitWithoutAnOutcome() {
    writer.open();
    only().commitTransactionException = new TimeoutException("commit");

    TransactionFailedException failure = fail(RECORDS);
    writer.write(RECORDS);

    assertThat(failure.failure()).isEqualTo(WriteFailure.AGAIN);
    assertThat(producers).hasSize(2);
    assertThat(producers.get(0).closed()).isTrue();
    assertThat(producers.get(1).transactionInitialized()).isTrue();
    assertThat(producers.get(1).history()).isEqualTo(RECORDS);
  }

  @Test
  void saysThatAnotherProcessHasTakenOver() {
    writer.open();
    only().fenceProducer();

    assertThat(fail(RECORDS).failure()).isEqualTo(WriteFailure.REPLACED);
  }

  @Test
  void writesAgainWhenItSleptPastItsOwnTransaction() {
    writer.open();
    only().commitTransactionException = new ProducerFencedException("expired");
    clock.advance(Duration.ofSeconds(1));
    TransactionFailedException soon = fail(RECORDS);
    writer.open();
    producers.get(1).commitTransactionException = new ProducerFencedException("expired");

    TransactionFailedException late =
        catchThrowableOfType(
            TransactionFailedException.class, () -> writer.write(sleepingRecords()));

    assertThat(soon.failure()).isEqualTo(WriteFailure.REPLACED);
    assertThat(late.failure()).isEqualTo(WriteFailure.AGAIN);
  }

  @Test
  void saysThatTheClusterRefuses() {
    writer.open();
    only().commitTransactionException = new TopicAuthorizationException("berth.alloc-events");

    assertThat(fail(RECORDS).failure()).isEqualTo(WriteFailure.REFUSED);
  }

  @Test
  void closesAProducerThatCannotBeInitialised() {
    MockProducer<String, byte[]> broken = mock();
    broken.initTransactionException = new TimeoutException("coordinator");
    TransactionalWriter unlucky =
        new TransactionalWriter(() -> broken, Duration.ofSeconds(10), clock);

    assertThatThrownBy(unlucky::open).isInstanceOf(TimeoutException.class);

    assertThat(broken.closed()).isTrue();
  }

  /** Records whose sending takes longer than a transaction may stay open. */
  private List<ProducerRecord<String, byte[]>> sleepingRecords() {
    return new AbstractList<>() {
      @Override
      public ProducerRecord<String, byte[]> get(int index) {
        clock.advance(Duration.ofSeconds(11));
        return RECORDS.get(index);
      }

      @Override
      public int size() {
        return 1;
      }
    };
  }

  private TransactionFailedException fail(List<ProducerRecord<String, byte[]>> records) {
    TransactionFailedException failure =
        catchThrowableOfType(TransactionFailedException.class, () -> writer.write(records));
    assertThat(failure).isNotNull();
    return failure;
  }

  private MockProducer<String, byte[]> only() {
    assertThat(producers).hasSize(1);
    return producers.get(0);
  }

  private MockProducer<String, byte[]> newProducer() {
    MockProducer<String, byte[]> producer = mock();
    producers.add(producer);
    return producer;
  }

  private static MockProducer<String, byte[]> mock() {
    return new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
  }

  private static ProducerRecord<String, byte[]> record(String key) {
    return new ProducerRecord<>("berth.alloc-events", key, new byte[] {1});
  }
}
