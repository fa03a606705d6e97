package dev.berth.workers.outcome;

import static dev.berth.workers.WorkFixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.schemas.headers.Step;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.workers.ManualClocks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** A report is written, whatever becomes of producers. */
class ReportWriterTest {

  private final ManualClocks clocks = new ManualClocks();
  private final List<MockProducer<String, byte[]>> made = new CopyOnWriteArrayList<>();
  private final AtomicInteger refusals = new AtomicInteger();

  @Test
  void whatAProducerGivesBackAsFailedIsWrittenByTheNext() {
    ReportWriter writer = new ReportWriter(this::producer, clocks);
    CompletableFuture<Void> written = write(writer, "one");
    clocks.advance(Duration.ofSeconds(7));
    assertThat(writer.waitingSince()).contains(Duration.ofSeconds(7));

    made.get(0).errorNext(new TimeoutException("no answer"));

    await().until(() -> made.size() == 2 && !made.get(1).history().isEmpty());
    made.get(1).completeNext();
    assertThat(written).isCompleted();
    assertThat(values(1)).containsExactly("one");
    assertThat(writer.waitingSince()).isEmpty();
    writer.close();
  }

  @Test
  void headersAreMadeAnewEachTimeAReportIsSent() {
    ReportWriter writer = new ReportWriter(this::producer, clocks);
    CompletableFuture<Void> written =
        writer.write(
            "reports",
            "ebs",
            "one",
            new StringSerializer(),
            () -> StepTimes.NONE.with(Step.REPORTED, clocks.read().wall()).headers());
    clocks.advance(Duration.ofSeconds(7));

    made.get(0).errorNext(new TimeoutException("no answer"));

    await().until(() -> made.size() == 2 && made.get(1).completeNext());
    assertThat(written).isCompleted();
    assertThat(made)
        .extracting(producer -> StepTimes.of(producer.history().get(0).headers()))
        .containsExactly(
            StepTimes.NONE.with(Step.REPORTED, NOON),
            StepTimes.NONE.with(Step.REPORTED, NOON.plusSeconds(7)));
    writer.close();
  }

  @Test
  void aReportIsNotLostWhileNoProducerCanBeMade() {
    ReportWriter writer = new ReportWriter(this::producer, clocks);
    CompletableFuture<Void> written = write(writer, "one");
    refusals.set(2);

    made.get(0).errorNext(new TimeoutException("no answer"));

    await().until(() -> made.size() == 2 && !made.get(1).history().isEmpty());
    made.get(1).completeNext();
    assertThat(written).isCompleted();
    writer.close();
  }

  /**
   * A producer that is closed waits for its own thread, which meanwhile hands back what it held;
   * and it calls back in the thread of the sender, too.
   */
  @Test
  void producersThatCallBackWhileTheyAreClosedHoldUpNobody() {
    ReportWriter writer = new ReportWriter(this::producer, clocks);
    CompletableFuture<Void> first = write(writer, "one");
    CompletableFuture<Void> second = write(writer, "two");

    made.get(0).errorNext(new TimeoutException("no answer"));

    await().until(() -> made.size() == 2 && made.get(1).history().size() == 2);
    while (made.get(1).completeNext()) {
      assertThat(made.get(0).closed()).isTrue();
    }
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
    assertThat(values(1)).containsExactlyInAnyOrder("one", "two");
    writer.close();
  }

  private Producer<String, byte[]> producer() {
    if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new KafkaException("no resolvable bootstrap urls");
    }
    MockProducer<String, byte[]> producer =
        new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer()) {
          @Override
          public void close(Duration timeout) {
            Thread io =
                new Thread(
                    () -> {
                      while (errorNext(new KafkaException("closed forcefully"))) {
                        assertThat(closed()).isFalse();
                      }
                    });
            io.start();
            try {
              io.join();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            super.close(timeout);
          }
        };
    made.add(producer);
    return producer;
  }

  private List<String> values(int producer) {
    return made.get(producer).history().stream()
        .map(ProducerRecord::value)
        .map(String::new)
        .toList();
  }

  private static CompletableFuture<Void> write(ReportWriter writer, String text) {
    return writer.write("reports", "ebs", text, new StringSerializer());
  }
}
