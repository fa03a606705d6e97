package dev.berth.workers.accept;

import static dev.berth.workers.WorkFixtures.AT_NOON;
import static dev.berth.workers.WorkFixtures.NOON;
import static dev.berth.workers.WorkFixtures.work;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Acceptance;
import dev.berth.records.LaneStatus;
import dev.berth.records.OpenAttempt;
import dev.berth.records.Work;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topics;
import dev.berth.workers.ManualClocks;
import dev.berth.workers.kafka.TopicEnd;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The turns of a group member, with Kafka's own mock clients and their failures. */
class GroupMemberTest {

  private static final String WORK = "berth.plugin-work";
  private static final TopicPartition P = new TopicPartition(WORK, 0);
  private static final TopicPartition STATUS = new TopicPartition("berth.lane-status", 0);
  private static final TopicPartition EBS = new TopicPartition(WORK, Keys.partition("ebs", 2));

  private final MockSchemaRegistryClient registry = new MockSchemaRegistryClient();
  private final AvroSerde<Work> works = AvroSerde.of(registry, Work.class);
  private final AvroSerde<LaneStatus> statuses = AvroSerde.of(registry, LaneStatus.class);
  private final AvroSerde<Acceptance> acceptances = AvroSerde.of(registry, Acceptance.class);
  private final ManualClocks clocks = new ManualClocks();
  private final List<MockProducer<String, byte[]>> producers = new ArrayList<>();
  private final MemberConsumer consumer = new MemberConsumer();
  private final RecordedCalls calls = new RecordedCalls();
  private Map<TopicPartition, Long> highWatermarks = Map.of();
  private Executor looks = Runnable::run;
  private int ids;

  @BeforeEach
  void describePartition() {
    consumer.updateBeginningOffsets(Map.of(P, 0L));
    consumer.updateEndOffsets(Map.of(P, 0L));
  }

  @Test
  void callsBeginOnceAcceptanceAndOffsetsAreCommittedTogether() {
    GroupMember member = member();
    Work first = work("t1").build();
    Work second = work("t2").build();
    polled(0, first);
    polled(1, second);

    member.turn();

    assertThat(calls.begun)
        .containsExactly(
            Accepted.of(first, "w1", "x1", AT_NOON), Accepted.of(second, "w1", "x2", AT_NOON));
    assertThat(accepted(producers.get(0)))
        .containsExactly(calls.begun.get(0).acceptance(), calls.begun.get(1).acceptance());
    assertThat(offsets(producers.get(0))).containsExactly(Map.of(P, new OffsetAndMetadata(2)));
  }

  @Test
  void nothingIsCalledWhenTheOutcomeOfTheCommitIsUnknown() {
    GroupMember member = member();
    member.turn();
    producers.get(0).commitTransactionException = new TimeoutException("no answer");
    polled(0, work("t1").build());

    member.turn();

    assertThat(calls.begun).isEmpty();
    assertThat(producers.get(0).closed()).isTrue();
  }

  @Test
  void afterAnUnknownOutcomeTheGroupsOffsetsSayWhatHappened() {
    GroupMember member = member();
    member.turn();
    producers.get(0).commitTransactionException = new TimeoutException("no answer");
    polled(0, work("t1").build());
    member.turn();

    // It was not committed: the group is where it was.
    polled(0, work("t1").build());
    member.turn();

    assertThat(producers).hasSize(2);
    assertThat(producers.get(1).transactionInitialized()).isTrue();
    assertThat(calls.begun).containsExactly(Accepted.of(work("t1").build(), "w1", "x2", AT_NOON));
  }

  @Test
  void whatWasCommittedWithoutOurKnowledgeIsNotCalled() {
    GroupMember member = member();
    member.turn();
    producers.get(0).commitTransactionException = new TimeoutException("no answer");
    polled(0, work("t1").build());
    member.turn();

    // It was committed after all: the group is behind it.
    consumer.commitSync(Map.of(P, new OffsetAndMetadata(1)));
    polled(1, work("t2").build());
    member.turn();

    assertThat(calls.begun).extracting(each -> each.work().getAttemptId()).containsExactly("t2");
  }

  @Test
  void aMemberThatIsFencedCallsNobody() {
    GroupMember member = member();
    member.turn();
    producers.get(0).sendOffsetsToTransactionException = new CommitFailedException("fenced");
    polled(0, work("t1").build());

    member.turn();

    assertThat(calls.begun).isEmpty();
  }

  @Test
  void aProducerThatIsFencedIsReplaced() {
    GroupMember member = member();
    member.turn();
    producers.get(0).beginTransactionException = new ProducerFencedException("fenced");
    polled(0, work("t1").build());
    member.turn();
    assertThat(calls.begun).isEmpty();

    polled(0, work("t1").build());
    member.turn();

    assertThat(calls.begun).hasSize(1);
  }

  @Test
  void aConsumerWithoutMembershipAcceptsNothing() {
    GroupMember member = member();
    member.turn();
    consumer.metadata = metadata(-1, "");
    polled(0, work("t1").build());

    member.turn();

    assertThat(calls.begun).isEmpty();
    assertThat(offsets(producers.get(0))).isEmpty();
  }

  @Test
  void theWorkOfAnotherRouteIsSkippedAndItsOffsetWrittenBeforeLong() {
    GroupMember member = member();
    polled(0, work("t1").setRoute("ebs-n7").build());
    member.turn();
    assertThat(calls.begun).isEmpty();
    assertThat(offsets(producers.get(0))).isEmpty();

    clocks.advance(Duration.ofSeconds(6));
    member.turn();

    assertThat(calls.begun).isEmpty();
    assertThat(accepted(producers.get(0))).isEmpty();
    assertThat(offsets(producers.get(0))).containsExactly(Map.of(P, new OffsetAndMetadata(1)));
  }

  @Test
  void offsetsOfAPartitionThatHasMovedAreNotWritten() {
    GroupMember member = member();
    polled(0, work("t1").setRoute("ebs-n7").build());
    member.turn();

    consumer.rebalance(Set.of());
    clocks.advance(Duration.ofSeconds(6));
    member.turn();

    assertThat(offsets(producers.get(0))).isEmpty();
  }

  @Test
  void anAttemptThatIsDispatchedAgainIsNotCalledTwice() {
    GroupMember member = member();
    polled(0, work("t1").build());
    member.turn();

    polled(1, work("t1").build());
    member.turn();

    assertThat(calls.begun).hasSize(1);
  }

  @Test
  void whatNobodyCanReadIsRejectedInTheSameTransaction() {
    GroupMember member = member();
    consumer.addRecord(new ConsumerRecord<>(WORK, 0, 0, "ebs", new byte[] {7, 7, 7, 7, 7, 7}));
    polled(1, work("t1").build());

    member.turn();

    List<ProducerRecord<String, byte[]>> rejected =
        producers.get(0).history().stream()
            .filter(r -> r.topic().equals("berth.rejected-records"))
            .toList();
    assertThat(rejected).hasSize(1);
    assertThat(rejected.get(0).value()).isEqualTo(new byte[] {7, 7, 7, 7, 7, 7});
    assertThat(headers(rejected.get(0)))
        .isEqualTo(
            Map.of(
                "berth.source.topic",
                WORK,
                "berth.source.partition",
                "0",
                "berth.source.offset",
                "0",
                "kafka_dlt-original-topic",
                WORK,
                "kafka_dlt-original-partition",
                "0",
                "kafka_dlt-original-offset",
                "0",
                "berth.reason",
                "topic " + WORK + ": not a Work: the first byte is 7, not 0"));
    assertThat(calls.begun).hasSize(1);
    assertThat(offsets(producers.get(0))).containsExactly(Map.of(P, new OffsetAndMetadata(2)));
  }

  @Test
  void whatNobodyCanReadAndNoBrokerTakesIsRejectedWithoutItsValue() {
    GroupMember member = member();
    consumer.addRecord(new ConsumerRecord<>(WORK, 0, 0, "ebs", new byte[2_000_000]));

    member.turn();

    List<ProducerRecord<String, byte[]>> rejected = producers.get(0).history();
    assertThat(rejected).extracting(ProducerRecord::value).containsExactly((byte[]) null);
    assertThat(headers(rejected.get(0))).containsEntry("berth.omitted.bytes", "2000000");
  }

  @Test
  void nothingIsAcceptedWhileThereIsNoRoom() {
    GroupMember member = member();
    calls.room = 1;
    polled(0, work("t1").build());
    polled(1, work("t2").build());
    member.turn();
    member.turn();
    assertThat(consumer.paused()).containsExactly(P);
    assertThat(calls.begun).hasSize(1);

    calls.room = 1;
    polled(1, work("t2").build());
    member.turn();

    assertThat(calls.begun)
        .extracting(each -> each.work().getAttemptId())
        .containsExactly("t1", "t2");
  }

  @Test
  void aPartitionThatCannotBeReadForNowWaitsAloneAndGoesOnWhenTheRegistryIsBack() {
    boolean[] registryDown = {true};
    Work unreadable = work("t2").build();
    Deserializer<Work> workReader =
        (topic, data) -> {
          Work read = works.deserializer().deserialize(topic, data);
          if (registryDown[0] && read.equals(unreadable)) {
            throw new RegistryUnavailableException("no registry", new KafkaException());
          }
          return read;
        };
    GroupMember member = member(workReader);
    TopicPartition other = new TopicPartition(WORK, 1);
    consumer.rebalance(Set.of(P, other));
    consumer.updateBeginningOffsets(Map.of(P, 0L, other, 0L));
    consumer.commitSync(Map.of(P, new OffsetAndMetadata(0), other, new OffsetAndMetadata(0)));
    polled(0, work("t1").build());
    polled(1, unreadable);
    consumer.addRecord(record(other, 0, work("t3").build(), works));
    member.turn();
    assertThat(begun()).containsExactlyInAnyOrder("t1", "t3");
    assertThat(member.waiting()).containsExactly(P + " waits at offset 1: no registry");

    member.turn();
    assertThat(consumer.paused()).containsExactly(P);

    registryDown[0] = false;
    clocks.advance(Duration.ofSeconds(2));
    polled(1, unreadable);
    member.turn();

    assertThat(begun()).containsExactlyInAnyOrder("t1", "t3", "t2");
    assertThat(member.waiting()).isEmpty();
    assertThat(producers.get(0).history())
        .extracting(ProducerRecord::topic)
        .doesNotContain("berth.rejected-records");
  }

  private List<String> begun() {
    return calls.begun.stream().map(each -> each.work().getAttemptId()).toList();
  }

  @Test
  void aGroupWithoutOffsetsBeginsAtTheEndAndAcceptsWhatIsOpenBeforeIt() {
    Work open = work("open").build();
    Work behind = work("behind").build();
    GroupMember member = memberWithoutOffsets(() -> reader(List.of(open, behind), List.of(behind)));

    member.turn();

    assertThat(calls.begun).containsExactly(Accepted.of(open, "w1", "x1", AT_NOON));
    assertThat(offsets(producers.get(0))).containsExactly(Map.of(EBS, new OffsetAndMetadata(5)));
    assertThat(consumer.position(EBS)).isEqualTo(5);
  }

  @Test
  void anOpeningThatWasNotCommittedIsDoneAgain() {
    Work open = work("open").build();
    GroupMember member = memberWithoutOffsets(() -> reader(List.of(open), List.of()));
    producers.get(0).commitTransactionException = new TimeoutException("no answer");
    member.turn();
    assertThat(calls.begun).isEmpty();

    member.turn();

    assertThat(calls.begun).containsExactly(Accepted.of(open, "w1", "x2", AT_NOON));
    assertThat(offsets(producers.get(1))).containsExactly(Map.of(EBS, new OffsetAndMetadata(5)));
  }

  @Test
  void theOtherPartitionsGoOnWhileABeginningIsLookedFor() {
    Deque<Runnable> waiting = new ArrayDeque<>();
    looks = waiting::add;
    Work open = work("open").build();
    GroupMember member = memberWithoutOffsets(() -> reader(List.of(open), List.of()), P, EBS);
    member.turn();
    assertThat(member.begun()).containsExactly(P);
    polled(0, work("t1").build());

    member.turn();

    assertThat(begun()).containsExactly("t1");
    assertThat(consumer.paused()).containsExactly(EBS);

    waiting.remove().run();
    member.turn();

    assertThat(begun()).containsExactly("t1", "open");
    assertThat(member.begun()).containsExactlyInAnyOrder(P, EBS);
    assertThat(waiting).isEmpty();
  }

  @Test
  void theOtherPartitionsGoOnWhileTheRegistryKeepsABeginningFromBeingFound() {
    boolean[] registryDown = {true};
    Work open = work("open").build();
    GroupMember member =
        memberWithoutOffsets(
            () -> {
              if (registryDown[0]) {
                throw new RegistryUnavailableException("no registry", new KafkaException());
              }
              return reader(List.of(open), List.of());
            },
            P,
            EBS);
    member.turn();
    polled(0, work("t1").build());

    member.turn();

    assertThat(begun()).containsExactly("t1");
    assertThat(member.waiting())
        .containsExactly(
            "[%s] wait for where to begin: %s: no registry"
                .formatted(EBS, RegistryUnavailableException.class.getName()));

    registryDown[0] = false;
    clocks.advance(Duration.ofSeconds(1));
    member.turn();

    assertThat(begun()).containsExactly("t1", "open");
    assertThat(member.waiting()).isEmpty();
  }

  @Test
  void whatWasFoundOfAPartitionThatHasMovedMeanwhileIsForgotten() {
    Deque<Runnable> waiting = new ArrayDeque<>();
    looks = waiting::add;
    GroupMember member =
        memberWithoutOffsets(() -> reader(List.of(work("open").build()), List.of()), P, EBS);
    member.turn();

    consumer.rebalance(Set.of(P));
    consumer.commitSync(Map.of(EBS, new OffsetAndMetadata(5)));
    consumer.rebalance(Set.of(P, EBS));
    waiting.remove().run();
    member.turn();

    assertThat(calls.begun).isEmpty();
    assertThat(member.begun()).containsExactlyInAnyOrder(P, EBS);
  }

  /**
   * Reads one lane status that shows open attempts, and work of ebs's partition: up to offset 5
   * what is open, from there what is behind.
   */
  private MockConsumer<String, byte[]> reader(List<Work> open, List<Work> behind) {
    List<Work> before = open.stream().filter(each -> !behind.contains(each)).toList();
    long first = 5L - before.size();
    MockConsumer<String, byte[]> reader =
        new MockConsumer<>("earliest") {
          @Override
          public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
              Map<TopicPartition, Long> times) {
            Map<TopicPartition, OffsetAndTimestamp> found = new HashMap<>();
            times.forEach(
                (partition, time) ->
                    found.put(
                        partition,
                        partition.equals(EBS) ? new OffsetAndTimestamp(first, time) : null));
            return found;
          }
        };
    reader.updatePartitions(STATUS.topic(), List.of(partitionInfo(STATUS.topic(), 0)));
    reader.updatePartitions(WORK, List.of(partitionInfo(WORK, 0), partitionInfo(WORK, 1)));
    reader.updateBeginningOffsets(Map.of(STATUS, 0L));
    reader.updateEndOffsets(Map.of(P, 0L));
    reader.updateEndOffsets(Map.of(EBS, 5L));
    reader.schedulePollTask(() -> reader.addRecord(record(STATUS, 0, statusOf(open), statuses)));
    reader.schedulePollTask(
        () -> {
          List<Work> all = Stream.concat(before.stream(), behind.stream()).toList();
          for (int i = 0; i < all.size(); i++) {
            reader.addRecord(record(EBS, first + i, all.get(i), works));
          }
        });
    highWatermarks = Map.of(STATUS, 1L, EBS, 5L + behind.size());
    return reader;
  }

  private static LaneStatus statusOf(List<Work> open) {
    return LaneStatus.newBuilder()
        .setPlugin("ebs")
        .setPaused(false)
        .setQueued(0)
        .setHeld(0)
        .setInFlight(open.size())
        .setOpen(open.stream().map(each -> OpenAttempt.newBuilder().setWork(each).build()).toList())
        .setAt(NOON)
        .build();
  }

  private static <T extends SpecificRecord> ConsumerRecord<String, byte[]> record(
      TopicPartition partition, long offset, T value, AvroSerde<T> serde) {
    return new ConsumerRecord<>(
        partition.topic(),
        partition.partition(),
        offset,
        "ebs",
        serde.serializer().serialize(partition.topic(), value));
  }

  private GroupMember memberWithoutOffsets(Supplier<Consumer<String, byte[]>> readers) {
    return memberWithoutOffsets(readers, EBS);
  }

  private GroupMember memberWithoutOffsets(
      Supplier<Consumer<String, byte[]>> readers, TopicPartition... assigned) {
    GroupMember member = member(works.deserializer(), readers);
    member.turn();
    consumer.rebalance(Set.of(assigned));
    return member;
  }

  private static PartitionInfo partitionInfo(String topic, int partition) {
    Node broker = new Node(0, "127.0.0.1", 9092);
    return new PartitionInfo(topic, partition, broker, new Node[] {broker}, new Node[] {broker});
  }

  private GroupMember member() {
    return member(works.deserializer());
  }

  private GroupMember member(Deserializer<Work> workReader) {
    return member(workReader, () -> reader(List.of(), List.of()));
  }

  private GroupMember member(
      Deserializer<Work> workReader, Supplier<Consumer<String, byte[]>> readers) {
    Topics topics = Topics.withDefaultPrefix();
    StartingPoint startingPoint =
        new StartingPoint(
            readers,
            new TopicEnd(this::highWatermarks, Duration.ofSeconds(30), clocks),
            workReader,
            statuses.deserializer(),
            topics);
    GroupMember member =
        new GroupMember(
            new AcceptLoop.Parts(
                "pool",
                "w1",
                new InGroup(),
                new AcceptTransaction(this::producer, topics, acceptances.serializer()),
                startingPoint,
                look -> looks.execute(look),
                workReader,
                calls,
                clocks,
                () -> "x" + ++ids),
            consumer,
            new KnownAttempts(100));
    member.join(Set.of(WORK));
    consumer.rebalance(Set.of(P));
    consumer.commitSync(Map.of(P, new OffsetAndMetadata(0)));
    return member;
  }

  private Map<TopicPartition, Long> highWatermarks(Set<TopicPartition> partitions) {
    Map<TopicPartition, Long> asked = new HashMap<>(highWatermarks);
    asked.keySet().retainAll(partitions);
    return asked;
  }

  private Producer<String, byte[]> producer() {
    MockProducer<String, byte[]> producer =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    producers.add(producer);
    return producer;
  }

  private void polled(long offset, Work work) {
    consumer.addRecord(
        new ConsumerRecord<>(
            WORK, 0, offset, work.getPlugin(), works.serializer().serialize(WORK, work)));
  }

  private List<Acceptance> accepted(MockProducer<String, byte[]> producer) {
    return producer.history().stream()
        .filter(record -> record.topic().equals("berth.work-acceptances"))
        .map(record -> acceptances.deserializer().deserialize(record.topic(), record.value()))
        .toList();
  }

  private static List<Map<TopicPartition, OffsetAndMetadata>> offsets(
      MockProducer<String, byte[]> producer) {
    return producer.consumerGroupOffsetsHistory().stream()
        .map(each -> each.getOrDefault("berth.pool", Map.of()))
        .toList();
  }

  private static Map<String, String> headers(ProducerRecord<String, byte[]> record) {
    Map<String, String> headers = new HashMap<>();
    StreamSupport.stream(record.headers().spliterator(), false)
        .forEach(h -> headers.put(h.key(), new String(h.value(), StandardCharsets.UTF_8)));
    return headers;
  }

  /** Its constructor is to become internal; Kafka's mock has no other way to set one. */
  @SuppressWarnings("removal")
  private static ConsumerGroupMetadata metadata(int generation, String member) {
    return new ConsumerGroupMetadata("berth.pool", generation, member, Optional.empty());
  }

  /** A consumer whose membership a test can take away. */
  private static final class MemberConsumer extends MockConsumer<String, byte[]> {
    private ConsumerGroupMetadata metadata = metadata(1, "member-1");

    MemberConsumer() {
      super("none");
    }

    @Override
    public synchronized ConsumerGroupMetadata groupMetadata() {
      return metadata;
    }
  }

  private static final class RecordedCalls implements OpenCalls {
    private final List<Accepted> begun = new ArrayList<>();
    private int room = 100;

    @Override
    public int room() {
      return room;
    }

    @Override
    public void begin(Accepted accepted) {
      begun.add(accepted);
      room--;
    }
  }
}
