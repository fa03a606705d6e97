package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.producers.metrics.SchedulerMeters;
import dev.berth.records.AccessMode;
import dev.berth.records.AllocEvent;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClaimRequested;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.ReplyOutcome;
import dev.berth.schemas.headers.Trace;
import dev.berth.schemas.headers.Traces;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.serde.AvroSerde;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SchedulerTest {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Connection CONNECTION = Connection.to("nowhere:1", "mock://scheduler-test");

  private final FakeClock clock = new FakeClock("2026-01-01T00:00:00Z");
  private final Registry registry =
      Registry.connect(Map.of(RegistryConfig.URL, "mock://scheduler-test"));
  private final MockProducer<String, byte[]> producer =
      new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
  private final AnswerTopic replies = new AnswerTopic("berth.claim-replies", 2);
  private final AtomicReference<Trace> trace = new AtomicReference<>(Trace.NONE);
  private final Scheduler scheduler =
      new Scheduler(
          SchedulerConfig.of("east", CONNECTION).withClock(clock).withTraces(trace::get),
          registry,
          () -> producer,
          replies.consumer());

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void registryAway() {
    SchedulerConfig config =
        SchedulerConfig.of("east", Connection.to("127.0.0.1:1", "http://127.0.0.1:1"));

    assertThatThrownBy(() -> Scheduler.start(config))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("http://127.0.0.1:1");
  }

  @Test
  void aClaimCompletesWithItsGrantAndHearsOfTheWaitBefore() {
    List<ClaimReply> heard = new CopyOnWriteArrayList<>();
    CompletableFuture<ClaimReply> claim = scheduler.claim(claim("a1", "v1"), heard::add);
    String request = requestId(awaitEvents(1).get(0));

    ClaimReply waiting = reply("east", request, ReplyOutcome.WAITING);
    ClaimReply granted = reply("east", request, ReplyOutcome.GRANTED);
    add(0, waiting);
    add(0, granted);

    assertThat(claim).succeedsWithin(SOON).isEqualTo(granted);
    assertThat(heard).containsExactly(waiting);
  }

  @Test
  void whatIsSaidBelongsToTheTraceInWhichItIsSaid() {
    trace.set(new Trace("00-" + "1".repeat(32) + "-" + "2".repeat(16) + "-01", "v=1"));
    scheduler.claim(claim("a1", "v1"));
    trace.set(Trace.NONE);
    scheduler.allocGone(Alloc.of("a1", VolumeUse.of("default", "v1")));

    awaitEvents(2);
    assertThat(producer.history())
        .extracting(record -> Traces.of(record.headers()))
        .containsExactly(
            Traces.of(new Trace("00-" + "1".repeat(32) + "-" + "2".repeat(16) + "-01", "v=1")),
            Traces.NONE);
  }

  @Test
  void aRejectionIsAReplyLikeAnother() {
    CompletableFuture<ClaimReply> claim = scheduler.claim(claim("a1", "v1"));
    ClaimReply rejected = reply("east", requestId(awaitEvents(1).get(0)), ReplyOutcome.REJECTED);

    add(1, rejected);

    assertThat(claim).succeedsWithin(SOON).isEqualTo(rejected);
  }

  @Test
  void anotherSchedulersReplyIsNotTakenForOurs() {
    CompletableFuture<ClaimReply> claim = scheduler.claim(claim("a1", "v1"));
    String request = requestId(awaitEvents(1).get(0));
    ClaimReply ours = reply("east", request, ReplyOutcome.REJECTED);

    add(0, reply("west", request, ReplyOutcome.GRANTED));
    add(0, ours);

    assertThat(claim).succeedsWithin(SOON).isEqualTo(ours);
  }

  @Test
  void claimsMadeTogetherAreWrittenInOneTransaction() {
    List<CompletableFuture<ClaimReply>> claims =
        scheduler.claim(List.of(claim("a1", "v1"), claim("a1", "v2")), reply -> {});

    List<AllocEvent> events = awaitEvents(2);
    assertThat(claims).hasSize(2);
    assertThat(producer.commitCount()).isEqualTo(1);
    assertThat(events).extracting(AllocEvent::getVolume).containsExactly("v1", "v2");
    assertThat(events.get(1).getIndex()).isGreaterThan(events.get(0).getIndex());
  }

  @Test
  void aClaimMadeAgainBeforeItsAnswerIsOneClaimAndEachFutureHasTheReply() {
    List<CompletableFuture<ClaimReply>> claims =
        scheduler.claim(List.of(claim("a1", "v1"), claim("a1", "v1")), reply -> {});
    ClaimReply granted = reply("east", requestId(awaitEvents(2).get(1)), ReplyOutcome.GRANTED);

    add(0, granted);

    assertThat(claims)
        .allSatisfy(claim -> assertThat(claim).succeedsWithin(SOON).isEqualTo(granted));
  }

  @Test
  void aClaimThatIsGivenUpLeavesTheOneThatItRepeatsOpen() {
    CompletableFuture<ClaimReply> first = scheduler.claim(claim("a1", "v1"));
    CompletableFuture<ClaimReply> second = scheduler.claim(claim("a1", "v1"));
    second.cancel(false);
    CompletableFuture<ClaimReply> third = scheduler.claim(claim("a1", "v1"));
    ClaimReply granted = reply("east", requestId(awaitEvents(3).get(2)), ReplyOutcome.GRANTED);

    add(0, granted);

    assertThat(third).succeedsWithin(SOON).isEqualTo(granted);
    assertThat(first).succeedsWithin(SOON).isEqualTo(granted);
  }

  @Test
  void claimsMadeTogetherAreAllRefusedForTheOneThatCannotBeUsed() {
    ClaimRequest numbered =
        ClaimRequest.read("a1", "n1", "default", "v2", AccessMode.MULTI_NODE_READER).at(3).build();
    List<ClaimRequest> batch = List.of(claim("a1", "v1"), numbered);

    assertThatThrownBy(() -> scheduler.claim(batch, reply -> {}))
        .isInstanceOf(InvalidEventException.class);

    assertThat(scheduler.openClaims()).isZero();
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void statementsAreKeyedByTheirVolumes() {
    CompletableFuture<Void> written =
        scheduler.alloc(
            Alloc.of("a1", VolumeUse.of("default", "v1"), VolumeUse.of("team", "v2")),
            ClientStatus.COMPLETE,
            DesiredStatus.STOP);

    assertThat(written).succeedsWithin(SOON);
    assertThat(producer.history())
        .extracting(ProducerRecord::topic, ProducerRecord::key)
        .containsExactly(
            tuple("berth.alloc-events", "default/v1"), tuple("berth.alloc-events", "team/v2"));
  }

  @Test
  void everyKindOfStatementIsWritten() {
    Alloc alloc = Alloc.of("a1", VolumeUse.of("default", "v1"));

    assertThat(scheduler.unmountFailed(alloc, "busy")).succeedsWithin(SOON);
    assertThat(scheduler.unmounted(alloc)).succeedsWithin(SOON);
    assertThat(scheduler.allocGone(alloc)).succeedsWithin(SOON);

    assertThat(awaitEvents(3))
        .extracting(event -> event.getBody().getClass().getSimpleName())
        .containsExactly("UnmountFailed", "Unmounted", "AllocGone");
  }

  @Test
  void aClaimThatCannotBeWrittenFails() {
    producer.commitTransactionException = new TopicAuthorizationException("berth.alloc-events");

    assertThat(scheduler.claim(claim("a1", "v1")))
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(WriteFailedException.class);
  }

  @Test
  void aCancelledClaimIsStillWritten() {
    CompletableFuture<ClaimReply> claim = scheduler.claim(claim("a1", "v1"));

    claim.cancel(false);

    assertThat(awaitEvents(1)).hasSize(1);
  }

  @Test
  void aNumberWhereTheClockNumbersIsRefusedAtOnce() {
    ClaimRequest numbered =
        ClaimRequest.read("a1", "n1", "default", "v1", AccessMode.MULTI_NODE_READER).at(3).build();

    assertThatThrownBy(() -> scheduler.claim(numbered)).isInstanceOf(InvalidEventException.class);
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void closingFailsOpenClaimsAndSaysThatTheyStand() {
    CompletableFuture<ClaimReply> claim = scheduler.claim(claim("a1", "v1"));

    scheduler.close();

    assertThat(claim)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(ClosedException.class)
        .withMessageContaining("scheduler 'east' was closed before claim")
        .withMessageContaining("the claim stands");
    assertThat(producer.history()).hasSize(1);
  }

  @Test
  void whatIsSaidAfterClosingFails() {
    scheduler.close();

    assertThat(scheduler.claim(claim("a1", "v1")))
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(ClosedException.class);
  }

  @Test
  void whatBecameOfClaimsAndStatementsIsCounted() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    new SchedulerMeters(scheduler).bindTo(meters);
    assertThat(ended(meters, "claims", "granted")).isZero();
    assertThat(ended(meters, "statements", "failed")).isZero();

    CompletableFuture<ClaimReply> granted = scheduler.claim(claim("a1", "v1"));
    CompletableFuture<ClaimReply> rejected = scheduler.claim(claim("a2", "v1"));
    CompletableFuture<ClaimReply> open = scheduler.claim(claim("a3", "v1"));
    scheduler.claim(claim("a4", "v1")).cancel(false);
    List<AllocEvent> events = awaitEvents(4);
    add(0, reply("east", requestId(events.get(0)), ReplyOutcome.GRANTED));
    add(0, reply("east", requestId(events.get(1)), ReplyOutcome.REJECTED));

    assertThat(granted).succeedsWithin(SOON);
    assertThat(rejected).succeedsWithin(SOON);
    assertThat(open).isNotDone();
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              assertThat(ended(meters, "claims", "granted")).isEqualTo(1);
              assertThat(ended(meters, "claims", "rejected")).isEqualTo(1);
              assertThat(ended(meters, "claims", "unanswered")).isEqualTo(1);
              assertThat(ended(meters, "statements", "written")).isEqualTo(4);
            });
    assertThat(gauge(meters, "open.claims")).isEqualTo(1);
    assertThat(gauge(meters, "queued.statements")).isZero();
    assertThat(gauge(meters, "over")).isZero();
    assertThat(committed(meters)).isEqualTo(producer.commitCount());
    assertThat(scheduler.metrics().written().time()).isPositive();
  }

  @Test
  void whatCannotBeWrittenIsCountedAsFailed() {
    producer.commitTransactionException = new TopicAuthorizationException("berth.alloc-events");
    CompletableFuture<Void> gone =
        scheduler.allocGone(Alloc.of("a1", VolumeUse.of("default", "v1")));

    assertThat(gone).failsWithin(SOON);
    await().atMost(SOON).until(() -> scheduler.metrics().notWritten().count() == 1);
    assertThat(scheduler.metrics().failedTransactions()).isEqualTo(1);
    scheduler.close();
    assertThat(scheduler.metrics().over()).isTrue();
  }

  private static double ended(MeterRegistry meters, String what, String outcome) {
    return meters
        .get("berth.scheduler." + what)
        .tags("scheduler", "east", "outcome", outcome)
        .functionTimer()
        .count();
  }

  private static double gauge(MeterRegistry meters, String what) {
    return meters.get("berth.scheduler." + what).tag("scheduler", "east").gauge().value();
  }

  private static long committed(MeterRegistry meters) {
    return (long)
        meters
            .get("berth.scheduler.transactions")
            .tag("outcome", "committed")
            .functionCounter()
            .count();
  }

  @Test
  void refusesToStartWithoutTopics() {
    assertThatThrownBy(
            () ->
                new Scheduler(
                    SchedulerConfig.of("west", CONNECTION),
                    registry,
                    () -> producer,
                    new AnswerTopic("berth.claim-replies", 0).consumer()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("topic berth.claim-replies does not exist");
  }

  private static ClaimRequest claim(String alloc, String volume) {
    return ClaimRequest.write(alloc, "n1", "default", volume, AccessMode.SINGLE_NODE_WRITER)
        .build();
  }

  private List<AllocEvent> awaitEvents(int count) {
    await().atMost(SOON).until(() -> producer.history().size() >= count);
    return producer.history().stream()
        .map(
            record ->
                AvroSerde.of(registry, AllocEvent.class)
                    .deserializer()
                    .deserialize(record.topic(), record.value()))
        .toList();
  }

  private static String requestId(AllocEvent event) {
    return ((ClaimRequested) event.getBody()).getRequestId();
  }

  private void add(int partition, ClaimReply reply) {
    replies.add(partition, "a1", reply, registry, ClaimReply.class);
  }

  private static ClaimReply reply(String scheduler, String requestId, ReplyOutcome outcome) {
    return new ClaimReply(
        requestId,
        scheduler,
        "default",
        "v1",
        "a1",
        "n1",
        1L,
        outcome,
        null,
        null,
        "",
        null,
        Map.of(),
        Instant.parse("2026-01-01T00:00:01Z"));
  }
}
