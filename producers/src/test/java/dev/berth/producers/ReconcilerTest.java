package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.records.AllocEvent;
import dev.berth.records.AllocGone;
import dev.berth.records.Claim;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.serde.AvroSerde;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReconcilerTest {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final long FIRST_INDEX = NOW.toEpochMilli() * 1_000;
  private static final Connection CONNECTION = Connection.to("nowhere:1", "mock://reconciler-test");

  private final Registry registry =
      Registry.connect(Map.of(RegistryConfig.URL, "mock://reconciler-test"));
  private MockProducer<String, byte[]> producer = producer();
  private final ClaimTopic claims = new ClaimTopic(2);
  private Scheduler scheduler = scheduler(IndexSource.CLOCK);

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void saysOfEachMissingAllocThatItIsGoneWithTheGenerationThatWasSeen() throws Exception {
    claims.add(0, Claims.live("east", "v1", "dead", 7, 1), registry);
    claims.add(1, Claims.live("east", "v2", "dead", 9, 1), registry);
    claims.add(0, Claims.live("east", "v3", "alive", 2, 1), registry);
    claims.add(1, Claims.live("west", "v4", "dead", 4, 1), registry);

    ReconcileReport report = reconciler(() -> LiveAllocs.of(List.of("alive"))).reconcile();

    assertThat(report).isEqualTo(new ReconcileReport(4, 3, 2, 0, 0, 0, Map.of(0, 2L, 1, 2L)));
    assertThat(said())
        .containsExactly(gone("v1", "dead", 7, FIRST_INDEX), gone("v2", "dead", 9, FIRST_INDEX));
    assertThat(producer.commitCount()).isEqualTo(1);
  }

  @Test
  void theListIsBegunAfterTheTableWasReadToItsEnd() throws Exception {
    claims.add(0, Claims.live("east", "v1", "a1", 7, 1), registry);
    List<Boolean> readBefore = new ArrayList<>();

    reconciler(
            () -> {
              readBefore.add(claims.consumers().get(0).closed());
              return LiveAllocs.of(List.of("a1"));
            })
        .reconcile();

    assertThat(readBefore).containsExactly(true);
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void theLatestRowOfAClaimCountsAndATombstoneEndsIt() throws Exception {
    Claim released = Claims.live("east", "v1", "released", 1, 1);
    claims.add(0, released, registry);
    claims.add(0, SeenClaim.of(released).key(), null);
    claims.add(0, Claims.live("east", "v2", "retaken", 2, 1), registry);
    claims.add(0, Claims.live("east", "v2", "retaken", 5, 1), registry);

    ReconcileReport report = reconciler(() -> LiveAllocs.of(List.of("other"))).reconcile();

    assertThat(report).isEqualTo(new ReconcileReport(1, 1, 1, 0, 0, 0, Map.of(0, 4L, 1, 0L)));
    assertThat(said()).containsExactly(gone("v2", "retaken", 5, FIRST_INDEX));
  }

  @Test
  void whatTheSchedulerSaysWhileItListsHasAHigherNumberSoThatBerthDoesNotListenToTheRun()
      throws Exception {
    claims.add(0, Claims.live("east", "v1", "a1", 7, 1), registry);

    reconciler(
            () -> {
              Alloc alloc = Alloc.of("a1", VolumeUse.of("default", "v1"));
              assertThat(scheduler.alloc(alloc, ClientStatus.RUNNING, DesiredStatus.RUN))
                  .succeedsWithin(SOON);
              return LiveAllocs.of(List.of("stale"));
            })
        .reconcile();

    assertThat(said())
        .extracting(AllocEvent::getIndex)
        .containsExactly(FIRST_INDEX + 1, FIRST_INDEX);
  }

  @Test
  void rowsThatCannotBeReadAreCountedAndLeftAloneAlsoInTheirEarlierForm() throws Exception {
    Claim claim = Claims.live("east", "v1", "dead", 7, 1);
    claims.add(0, claim, registry);
    claims.add(0, SeenClaim.of(claim).key(), new byte[] {1, 2, 3});
    claims.add(
        1,
        "default/v2/other",
        AvroSerde.of(registry, Claim.class).serializer().serialize(ClaimTopic.NAME, claim));

    ReconcileReport report = reconciler(() -> LiveAllocs.of(List.of("alive"))).reconcile();

    assertThat(report).isEqualTo(new ReconcileReport(0, 0, 0, 0, 0, 2, Map.of(0, 2L, 1, 1L)));
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void aListThatCannotBeHadMeansThatNothingIsSaid() {
    claims.add(0, Claims.live("east", "v1", "dead", 7, 1), registry);
    Reconciler reconciler =
        reconciler(
            () -> {
              throw new IOException("page 3 of 4 timed out");
            });

    assertThatThrownBy(reconciler::reconcile)
        .isInstanceOf(ReconcileException.class)
        .hasMessage(
            "there is no list of live allocs, so nothing is said of any: page 3 of 4 timed out");
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void anEmptyListMeansThatNothingIsSaidUnlessItIsAllowed() throws Exception {
    claims.add(0, Claims.live("east", "v1", "dead", 7, 1), registry);

    assertThatThrownBy(() -> reconciler(() -> LiveAllocs.of(List.of())).reconcile())
        .isInstanceOf(ReconcileException.class)
        .hasMessageContaining("set emptyListAllowed");
    assertThat(producer.history()).isEmpty();

    ReconcileReport report =
        new Reconciler(
                scheduler,
                () -> LiveAllocs.of(List.of()),
                ReconcilerConfig.usual().withEmptyListAllowed(),
                claims::consumer)
            .reconcile();
    assertThat(report.gone()).isEqualTo(1);
  }

  @Test
  void aSchedulerThatNumbersItselfGivesTheNumberOfTheList() throws Exception {
    scheduler.close();
    producer = producer();
    scheduler = scheduler(IndexSource.CALLER);
    claims.add(0, Claims.live("east", "v1", "dead", 7, 40), registry);

    assertThatThrownBy(() -> reconciler(() -> LiveAllocs.of(List.of("a"))).reconcile())
        .isInstanceOf(ReconcileException.class)
        .hasMessageContaining("give the one it was taken at with at(…)");
    reconciler(() -> LiveAllocs.of(List.of("a")).at(42)).reconcile();

    assertThat(said()).extracting(AllocEvent::getIndex).containsExactly(42L);
  }

  // The mock producer takes a time that grows with the square of what was sent.
  @Timeout(180)
  @Test
  void manyAllocsAreSaidWithoutFillingTheSchedulersQueue() throws Exception {
    int many = 10_500;
    IntStream.range(0, many)
        .forEach(i -> claims.add(0, Claims.live("east", "v1", "dead-" + i, 7, 1), registry));

    ReconcileReport report = reconciler(() -> LiveAllocs.of(List.of("a"))).reconcile();

    assertThat(report.gone()).isEqualTo(many);
    assertThat(producer.history()).hasSize(many);
  }

  @Test
  void aMissingTopicAndAnEndThatIsNotReachedAreErrorsThatSayWhatToDo() {
    assertThatThrownBy(
            () ->
                new Reconciler(
                        scheduler,
                        () -> LiveAllocs.of(List.of("a")),
                        ReconcilerConfig.usual(),
                        () -> new ClaimTopic(0).consumer())
                    .reconcile())
        .hasMessage("topic berth.claims does not exist: provision Berth's topics first");

    claims.add(0, Claims.live("east", "v1", "dead", 7, 1), registry);
    AtomicInteger seconds = new AtomicInteger();
    var consumer = claims.consumer();
    consumer.schedulePollTask(() -> {});
    consumer.updateEndOffsets(Map.of(new TopicPartition(ClaimTopic.NAME, 0), 9L));
    assertThatThrownBy(
            () ->
                new ClaimTableReader(
                        consumer,
                        ClaimTopic.NAME,
                        AvroSerde.of(registry, Claim.class).deserializer())
                    .read(
                        Duration.ofSeconds(5),
                        () -> Duration.ofSeconds(seconds.getAndIncrement()).toNanos()))
        .hasMessage(
            "topic berth.claims could not be read to its end within PT5S: try again, or give more"
                + " readTimeout");
  }

  @Test
  void runsGoOnAfterAFailure() {
    claims.add(0, Claims.live("east", "v1", "dead", 7, 1), registry);
    AtomicInteger asked = new AtomicInteger();
    Reconciler flaky =
        reconciler(
            () -> {
              if (asked.getAndIncrement() == 0) {
                throw new IllegalStateException("not yet");
              }
              return LiveAllocs.of(List.of("alive"));
            });
    List<ReconcileReport> reports = new CopyOnWriteArrayList<>();

    try (PeriodicReconciler runs =
        PeriodicReconciler.start(flaky, Duration.ofMillis(1), reports::add)) {
      assertThat(runs).isNotNull();
      await().atMost(SOON).until(() -> reports.size() >= 2);
    }

    assertThat(reports.get(0))
        .isEqualTo(new ReconcileReport(1, 1, 1, 0, 0, 0, Map.of(0, 1L, 1, 0L)));
  }

  @Test
  void runsEndWhenAnotherProcessHasTakenOver() {
    claims.add(0, Claims.live("east", "v1", "dead", 7, 1), registry);
    producer.commitTransactionException = new ProducerFencedException("taken over");
    AtomicInteger asked = new AtomicInteger();
    Reconciler reconciler =
        reconciler(
            () -> {
              asked.incrementAndGet();
              return LiveAllocs.of(List.of("alive"));
            });

    try (PeriodicReconciler runs = PeriodicReconciler.start(reconciler, Duration.ofMillis(1))) {
      await().atMost(SOON).until(runs::isOver);
    }

    assertThat(asked).hasValue(1);
  }

  @Test
  void anIntervalOfNothingIsRefused() {
    assertThatThrownBy(
            () ->
                PeriodicReconciler.start(reconciler(() -> LiveAllocs.of(List.of())), Duration.ZERO))
        .hasMessage("interval PT0S is no time: give some minutes");
  }

  private Reconciler reconciler(LiveAllocSource source) {
    return new Reconciler(scheduler, source, ReconcilerConfig.usual(), claims::consumer);
  }

  private static MockProducer<String, byte[]> producer() {
    return new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
  }

  private Scheduler scheduler(IndexSource indexes) {
    return new Scheduler(
        SchedulerConfig.of("east", CONNECTION)
            .withClock(new FakeClock(NOW.toString()))
            .withIndexes(indexes),
        Registry.connect(Map.of(RegistryConfig.URL, "mock://reconciler-test")),
        () -> producer,
        new AnswerTopic("berth.claim-replies", 1).consumer());
  }

  private List<AllocEvent> said() {
    return producer.history().stream()
        .map(
            record ->
                AvroSerde.of(registry, AllocEvent.class)
                    .deserializer()
                    .deserialize(record.topic(), record.value()))
        .toList();
  }

  private static AllocEvent gone(String volume, String alloc, long generation, long index) {
    return new AllocEvent("east", index, "default", volume, alloc, NOW, new AllocGone(generation));
  }
}
