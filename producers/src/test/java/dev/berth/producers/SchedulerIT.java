package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.records.AccessMode;
import dev.berth.records.AllocEvent;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.Node;
import dev.berth.records.ReplyOutcome;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedStack.Extension.class)
class SchedulerIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  private final Connection connection;

  SchedulerIT(EmbeddedStack stack) {
    this.connection = stack.connection();
  }

  @Test
  void aReplyCompletesTheClaimItAnswers() throws InterruptedException {
    List<ReplyOutcome> heard = new CopyOnWriteArrayList<>();
    try (ClaimsStub berth = new ClaimsStub(connection, "reply");
        Scheduler scheduler = Scheduler.start(SchedulerConfig.of("north", connection))) {
      CompletableFuture<ClaimReply> claim =
          scheduler.claim(claim("a1", "reply", "v1"), reply -> heard.add(reply.getOutcome()));

      assertThat(claim)
          .succeedsWithin(SOON)
          .extracting(ClaimReply::getOutcome, ClaimReply::getAlloc, ClaimReply::getScheduler)
          .containsExactly(ReplyOutcome.GRANTED, "a1", "north");
      assertThat(heard).containsExactly(ReplyOutcome.WAITING);
      assertThat(berth.seen()).hasSize(1);
    }
  }

  @Test
  void twoSchedulersDoNotSeeEachOthersReplies() throws InterruptedException {
    try (ClaimsStub berth = new ClaimsStub(connection, "two");
        Scheduler east = Scheduler.start(SchedulerConfig.of("east", connection));
        Scheduler west = Scheduler.start(SchedulerConfig.of("west", connection))) {
      // The same alloc id: unique within a scheduler, not among them.
      CompletableFuture<ClaimReply> ofEast = east.claim(claim("a1", "two", "v1"));
      CompletableFuture<ClaimReply> ofWest = west.claim(claim("a1", "two", "v2"));

      assertThat(ofEast)
          .succeedsWithin(SOON)
          .extracting(ClaimReply::getScheduler, ClaimReply::getVolume)
          .containsExactly("east", "v1");
      assertThat(ofWest)
          .succeedsWithin(SOON)
          .extracting(ClaimReply::getScheduler, ClaimReply::getVolume)
          .containsExactly("west", "v2");
      assertThat(berth.seen()).hasSize(2);
    }
  }

  @Test
  void anAbortedAttemptIsNeverSeen() {
    Scripted commits = new Scripted(connection, "unlucky");
    commits.next.add(
        producer -> {
          producer.flush();
          throw new TimeoutException("the commit did not reach the coordinator");
        });
    try (Scheduler scheduler = commits.start()) {
      CompletableFuture<Void> written =
          scheduler.alloc(eightVolumes("aborted"), ClientStatus.RUNNING, DesiredStatus.RUN);

      assertThat(written).succeedsWithin(SOON);
      assertThat(read("aborted", "read_committed")).hasSize(8).doesNotHaveDuplicates();
      assertThat(read("aborted", "read_uncommitted")).hasSize(16);
    }
  }

  @Test
  void aCommitWithoutAnOutcomeIsRepeatedWithTheSameIndexes() {
    Scripted commits = new Scripted(connection, "luckless");
    commits.next.add(
        producer -> {
          producer.commitForReal();
          throw new TimeoutException("the answer was lost");
        });
    try (Scheduler scheduler = commits.start()) {
      CompletableFuture<Void> written =
          scheduler.alloc(eightVolumes("unknown"), ClientStatus.RUNNING, DesiredStatus.RUN);

      assertThat(written).succeedsWithin(SOON);
      List<AllocEvent> events = read("unknown", "read_committed");
      assertThat(events).hasSize(16);
      assertThat(events.stream().distinct()).hasSize(8);
    }
  }

  @Test
  void aSuccessorTakesOver() {
    SchedulerConfig config = SchedulerConfig.of("south", connection);
    Alloc alloc = Alloc.of("a1", VolumeUse.of("successor", "v1"));
    try (Scheduler old = Scheduler.start(config)) {
      assertThat(old.allocGone(alloc)).succeedsWithin(SOON);
      try (Scheduler successor = Scheduler.start(config)) {
        CompletableFuture<Void> late = old.allocGone(alloc);
        CompletableFuture<Void> current = successor.allocGone(alloc);

        assertThat(late)
            .failsWithin(SOON)
            .withThrowableThat()
            .withCauseInstanceOf(SchedulerReplacedException.class);
        assertThat(current).succeedsWithin(SOON);
        assertThat(read("successor", "read_committed")).hasSize(2);
      }
    }
  }

  @Test
  void eventsOfAVolumeStandInTheOrderOfTheCalls() {
    Alloc alloc = eightVolumes("order");
    try (Scheduler scheduler = Scheduler.start(SchedulerConfig.of("orderly", connection))) {
      List<CompletableFuture<Void>> written =
          IntStream.range(0, 100)
              .mapToObj(i -> scheduler.alloc(alloc, ClientStatus.RUNNING, DesiredStatus.RUN))
              .toList();

      assertThat(CompletableFuture.allOf(written.toArray(CompletableFuture[]::new)))
          .succeedsWithin(SOON);
    }
    List<AllocEvent> events = read("order", "read_committed");
    for (VolumeUse volume : alloc.volumes()) {
      assertThat(events.stream().filter(event -> event.getVolume().equals(volume.volume())))
          .hasSize(100)
          .extracting(AllocEvent::getIndex)
          .isSorted();
    }
  }

  @Test
  void theExampleOfTheDocumentationRuns() throws Exception {
    UsageExample example = new UsageExample();
    try (ClaimsStub berth = new ClaimsStub(connection, "default")) {
      String end = example.run(connection.bootstrapServers(), registryUrl(connection));

      assertThat(end).isEqualTo("done");
      assertThat(example.log).containsExactly("waiting vol-1", "mount {device=/dev/xvdf}");
      await().atMost(SOON).until(() -> berth.seen().size() == 4);
      assertThat(berth.seen())
          .extracting(event -> event.getBody().getClass().getSimpleName())
          .containsExactly(
              "ClaimRequested", "AllocStatusChanged", "Unmounted", "AllocStatusChanged");
    }
    try (TopicReader<Node> nodes =
        new TopicReader<>(
            connection, connection.topics().name(Topic.NODES), Node.class, "read_committed")) {
      assertThat(nodes.toTheEnd())
          .extracting(record -> record.key(), record -> record.value().getScheduler())
          .containsExactly(tuple("node-a", "east"));
    }
  }

  private List<AllocEvent> read(String namespace, String isolation) {
    try (TopicReader<AllocEvent> reader =
        new TopicReader<>(
            connection,
            connection.topics().name(Topic.ALLOC_EVENTS),
            AllocEvent.class,
            isolation)) {
      return reader.toTheEnd().stream()
          .map(record -> record.value())
          .filter(event -> event.getNamespace().equals(namespace))
          .toList();
    }
  }

  private static ClaimRequest claim(String alloc, String namespace, String volume) {
    return ClaimRequest.write(alloc, "node-a", namespace, volume, AccessMode.SINGLE_NODE_WRITER)
        .build();
  }

  /** Enough to reach every partition. */
  private static Alloc eightVolumes(String namespace) {
    return Alloc.of(
        "a1",
        IntStream.range(0, 8)
            .mapToObj(i -> VolumeUse.of(namespace, "v" + i))
            .toArray(VolumeUse[]::new));
  }

  private static String registryUrl(Connection connection) {
    String url = connection.registry().get(RegistryConfig.URL);
    assertThat(url).isNotNull();
    return url;
  }

  /** Real producers whose commits go wrong as a test says, one after the other. */
  private static final class Scripted {
    private final Connection connection;
    private final String scheduler;
    private final Queue<Consumer<ScriptedProducer>> next = new ArrayDeque<>();

    Scripted(Connection connection, String scheduler) {
      this.connection = connection;
      this.scheduler = scheduler;
    }

    Scheduler start() {
      return new Scheduler(
          SchedulerConfig.of(scheduler, connection),
          Registry.connect(connection.registry()),
          () -> new ScriptedProducer(this),
          new KafkaConsumer<>(KafkaSettings.consumer(connection)));
    }
  }

  private static final class ScriptedProducer extends KafkaProducer<String, byte[]> {
    private final Scripted script;

    ScriptedProducer(Scripted script) {
      super(KafkaSettings.transactionalProducer(script.connection, "test-" + script.scheduler));
      this.script = script;
    }

    void commitForReal() {
      super.commitTransaction();
    }

    @Override
    public void commitTransaction() {
      Consumer<ScriptedProducer> misfortune = script.next.poll();
      if (misfortune == null) {
        super.commitTransaction();
      } else {
        misfortune.accept(this);
      }
    }
  }
}
