package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupCommitTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  private final FakeClock clock = new FakeClock("2026-01-01T00:00:00Z");
  private final List<ScriptedProducer> producers = new CopyOnWriteArrayList<>();
  private final List<RuntimeException> commitFailures = new CopyOnWriteArrayList<>();
  private final CountDownLatch firstCommit = new CountDownLatch(1);
  private final GroupCommit commits =
      new GroupCommit(
          new TransactionalWriter(this::newProducer, Duration.ofSeconds(10), clock),
          Duration.ZERO,
          Duration.ofMillis(1),
          "test-writes");

  @AfterEach
  void close() {
    firstCommit.countDown();
    commits.close();
  }

  @Test
  void statementsThatComeDuringACommitShareTheNextTransaction() {
    CompletableFuture<Void> first = submit("v1");
    await().until(() -> !producers.isEmpty() && producers.get(0).committing);
    List<CompletableFuture<Void>> others = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      others.add(submit("w" + i));
    }
    firstCommit.countDown();

    assertThat(first).succeedsWithin(SOON);
    others.forEach(written -> assertThat(written).succeedsWithin(SOON));
    assertThat(producers.get(0).commitCount()).isEqualTo(2);
  }

  @Test
  void aFailedTransactionIsWrittenAgainBeforeWhatIsBehindIt() {
    firstCommit.countDown();
    commitFailures.add(new TimeoutException("no outcome"));

    CompletableFuture<Void> first = submit("v1");
    CompletableFuture<Void> second = submit("v2");

    assertThat(first).succeedsWithin(SOON);
    assertThat(second).succeedsWithin(SOON);
    ScriptedProducer last = producers.get(producers.size() - 1);
    assertThat(last.history()).extracting(ProducerRecord::key).containsExactly("v1", "v2");
  }

  @Test
  void aStatementThatCannotBeWrittenInTimeFailsAndSaysThatItMayBeThere() {
    firstCommit.countDown();
    for (int i = 0; i < 1_000; i++) {
      commitFailures.add(new TimeoutException("no outcome"));
    }

    CompletableFuture<Void> written = submit("v1", Duration.ofMillis(20));

    assertThat(written)
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(WriteFailedException.class)
        .withMessageContaining("it may have been written, say it again");
  }

  @Test
  void aRefusedStatementFailsAndTheNextOneIsWritten() {
    firstCommit.countDown();
    commitFailures.add(new TopicAuthorizationException("berth.alloc-events"));

    CompletableFuture<Void> refused = submit("v1");

    assertThat(refused)
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(WriteFailedException.class)
        .withMessageContaining("refused by Kafka");
    assertThat(submit("v2")).succeedsWithin(SOON);
  }

  @Test
  void behindAFailedStatementOfAFeedNothingMoreOfThatFeedIsWritten() {
    commitFailures.add(new TopicAuthorizationException("berth.alloc-events"));
    CompletableFuture<Void> refused = submit("f1", Optional.of("feed"), Duration.ofMinutes(1));
    await().until(() -> !producers.isEmpty() && producers.get(0).committing);
    CompletableFuture<Void> queued = submit("f2", Optional.of("feed"), Duration.ofMinutes(1));
    CompletableFuture<Void> other = submit("v1");
    CompletableFuture<Void> otherFeed = submit("g1", Optional.of("other"), Duration.ofMinutes(1));
    firstCommit.countDown();

    assertThat(refused).failsWithin(SOON);
    assertThat(queued)
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(WriteFailedException.class)
        .withMessageContaining("not written, since feed 'feed' has ended");
    assertThat(other).succeedsWithin(SOON);
    assertThat(otherFeed).succeedsWithin(SOON);
    assertThat(submit("f3", Optional.of("feed"), Duration.ofMinutes(1))).failsWithin(SOON);
    commits.close();
    assertThat(producers)
        .flatExtracting(ScriptedProducer::history)
        .extracting(ProducerRecord::key)
        .containsExactly("v1", "g1");
  }

  @Test
  void behindALateStatementOfAFeedNothingMoreOfThatFeedIsWritten() {
    commitFailures.add(new TimeoutException("no outcome"));
    CompletableFuture<Void> before = submit("v1", Duration.ofMillis(-1));
    await().until(() -> !producers.isEmpty() && producers.get(0).committing);
    CompletableFuture<Void> late = submit("f1", Optional.of("feed"), Duration.ofMillis(-1));
    CompletableFuture<Void> behind = submit("f2", Optional.of("feed"), Duration.ofMinutes(1));
    // For the transaction of f1 and f2.
    commitFailures.add(new TimeoutException("no outcome"));
    firstCommit.countDown();

    assertThat(before).failsWithin(SOON);
    assertThat(late).failsWithin(SOON);
    assertThat(behind).failsWithin(SOON);
    commits.close();
    assertThat(producers).flatExtracting(ScriptedProducer::history).isEmpty();
  }

  @Test
  void afterASuccessorHasTakenOverNothingIsWrittenAnyMore() {
    firstCommit.countDown();
    commitFailures.add(new ProducerFencedException("fenced"));

    CompletableFuture<Void> fenced = submit("v1");

    assertThat(fenced)
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(SchedulerReplacedException.class);
    assertThat(submit("v2"))
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(SchedulerReplacedException.class);
    assertThat(producers).hasSize(1);
  }

  @Test
  void closingWritesWhatIsQueuedAndRefusesTheRest() {
    firstCommit.countDown();
    CompletableFuture<Void> before = submit("v1");

    commits.close();
    CompletableFuture<Void> after = submit("v2");

    assertThat(before).isCompleted();
    assertThat(after)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(ClosedException.class);
    assertThat(producers.get(0).closed()).isTrue();
  }

  private CompletableFuture<Void> submit(String key) {
    return submit(key, Optional.empty(), Duration.ofMinutes(1));
  }

  private CompletableFuture<Void> submit(String key, Duration patience) {
    return submit(key, Optional.empty(), patience);
  }

  private CompletableFuture<Void> submit(String key, Optional<String> feed, Duration patience) {
    CompletableFuture<Void> written = new CompletableFuture<>();
    commits.submit(
        new Statement(
            List.of(new ProducerRecord<>("berth.alloc-events", key, new byte[] {1})),
            feed,
            written,
            System.nanoTime() + patience.toNanos()));
    return written;
  }

  private ScriptedProducer newProducer() {
    ScriptedProducer producer = new ScriptedProducer();
    producers.add(producer);
    return producer;
  }

  /** The first commit waits for the test; each commit takes a failure from the list, if any. */
  private final class ScriptedProducer extends MockProducer<String, byte[]> {
    private volatile boolean committing;

    ScriptedProducer() {
      super(true, null, new StringSerializer(), new ByteArraySerializer());
    }

    @Override
    public void commitTransaction() {
      committing = true;
      try {
        if (!firstCommit.await(20, TimeUnit.SECONDS)) {
          throw new IllegalStateException("the test never let the commit go on");
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      if (!commitFailures.isEmpty()) {
        throw commitFailures.remove(0);
      }
      super.commitTransaction();
    }
  }
}
