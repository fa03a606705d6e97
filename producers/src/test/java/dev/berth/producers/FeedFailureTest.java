package dev.berth.producers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.producers.feed.EventFeed;
import dev.berth.producers.feed.FeedException;
import dev.berth.producers.feed.FeedListener;
import dev.berth.producers.feed.FeedOptions;
import dev.berth.records.FeedPosition;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.serde.AvroSerde;
import java.io.ByteArrayInputStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** A position never speaks of lines that were not written. */
class FeedFailureTest {

  private static final String URL = "mock://feed-failure-test";
  private static final Connection CONNECTION = Connection.to("nowhere:1", URL);
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private static final int LINES = 3_000;
  private static final String POSITIONS = "berth.feed-positions";

  private final Registry registry = Registry.connect(Map.of(RegistryConfig.URL, URL));
  private final List<FailingOnce> producers = new CopyOnWriteArrayList<>();
  private final AtomicInteger commits = new AtomicInteger();
  private int failingCommit;

  @Test
  void linesBehindOneThatCouldNotBeWrittenAreNotWrittenEither() {
    failingCommit = 2;

    assertThatThrownBy(this::feed)
        .isInstanceOf(FeedException.class)
        .hasMessageStartingWith("events.jsonl could not be written further: ");

    List<String> written = written("berth.alloc-events");
    assertThat(written).hasSizeLessThan(LINES);
    // One line each: the last position is that of the last line that is there.
    assertThat(written(POSITIONS)).hasSameSizeAs(written);
    List<FeedPosition> positions = positions();
    assertThat(positions.get(positions.size() - 1).getPosition()).isEqualTo(written.size());
  }

  @Test
  void aPositionTellsItsScheduler() throws Exception {
    feed();

    FeedPosition last = positions().get(LINES - 1);
    assertThat(last.getScheduler()).contains("east");
    assertThatCode(() -> FeedPositions.requireSame(last, "east")).doesNotThrowAnyException();
    assertThatThrownBy(() -> FeedPositions.requireSame(last, "west"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "feed 'monday' was begun as scheduler 'east', not 'west': go on as that scheduler, or"
                + " give another feed id");
  }

  private void feed() throws Exception {
    String line = "{\"event\":\"gone\",\"alloc\":\"a1\",\"volume\":\"db\"}\n";
    try (Scheduler scheduler =
        new Scheduler(
            SchedulerConfig.of("east", CONNECTION).withClock(CLOCK),
            Registry.connect(Map.of(RegistryConfig.URL, URL)),
            this::newProducer,
            new AnswerTopic("berth.claim-replies", 1).consumer())) {
      var unused =
          new EventFeed(
                  FeedOptions.of("events.jsonl").withFeed("monday"),
                  scheduler,
                  (node, status, eligible) -> CompletableFuture.completedFuture(null),
                  live -> {},
                  CLOCK)
              .run(
                  new ByteArrayInputStream(line.repeat(LINES).getBytes(UTF_8)),
                  Optional.empty(),
                  new FeedListener() {
                    @Override
                    public void rejected(String message) {
                      throw new AssertionError(message);
                    }

                    @Override
                    public void at(long number) {}
                  });
    }
  }

  private List<String> written(String topic) {
    return records(topic).map(ProducerRecord::key).toList();
  }

  private List<FeedPosition> positions() {
    return records(POSITIONS)
        .map(
            record ->
                AvroSerde.of(registry, FeedPosition.class)
                    .deserializer()
                    .deserialize(POSITIONS, record.value()))
        .toList();
  }

  private Stream<ProducerRecord<String, byte[]>> records(String topic) {
    return producers.stream()
        .flatMap(producer -> producer.history().stream())
        .filter(record -> record.topic().equals(topic));
  }

  private FailingOnce newProducer() {
    FailingOnce producer = new FailingOnce();
    producers.add(producer);
    return producer;
  }

  private final class FailingOnce extends MockProducer<String, byte[]> {

    FailingOnce() {
      super(true, null, new StringSerializer(), new ByteArraySerializer());
    }

    @Override
    public void commitTransaction() {
      if (commits.incrementAndGet() == failingCommit) {
        throw new TopicAuthorizationException("berth.alloc-events");
      }
      super.commitTransaction();
    }
  }
}
