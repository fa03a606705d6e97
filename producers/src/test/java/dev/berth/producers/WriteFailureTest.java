package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

class WriteFailureTest {

  @Test
  void anUnknownOutcomeIsWrittenAgain() {
    assertThat(WriteFailure.of(new TimeoutException("commit"), false))
        .isEqualTo(WriteFailure.AGAIN);
  }

  @Test
  void aFencedProducerWasReplaced() {
    assertThat(WriteFailure.of(new ProducerFencedException("fenced"), false))
        .isEqualTo(WriteFailure.REPLACED);
    assertThat(
            WriteFailure.of(
                new KafkaException("send", new InvalidProducerEpochException("epoch")), false))
        .isEqualTo(WriteFailure.REPLACED);
  }

  @Test
  void aProducerThatSleptPastItsTransactionWasNotReplaced() {
    assertThat(WriteFailure.of(new ProducerFencedException("fenced"), true))
        .isEqualTo(WriteFailure.AGAIN);
  }

  @Test
  void aRefusalIsNotTriedAgain() {
    assertThat(WriteFailure.of(new TopicAuthorizationException("berth.alloc-events"), false))
        .isEqualTo(WriteFailure.REFUSED);
    assertThat(
            WriteFailure.of(
                new KafkaException("in an error state", new RecordTooLargeException()), false))
        .isEqualTo(WriteFailure.REFUSED);
  }
}
