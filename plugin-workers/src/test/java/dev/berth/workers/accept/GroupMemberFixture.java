package dev.berth.workers.accept;

import static dev.berth.workers.WorkFixtures.NOON;
import static dev.berth.workers.WorkFixtures.work;

import dev.berth.records.Acceptance;
import dev.berth.records.LaneStatus;
import dev.berth.records.OpenAttempt;
import dev.berth.records.Work;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topics;
import dev.berth.workers.ManualClocks;
import dev.berth.workers.kafka.TopicEnd;
import dev.berth.workers.time.Clocks;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;

/**
 * A group member with its clients: mocks, of which a test says what they hold and when they fail.
 */
abstract class GroupMemberFixture {

  static final String WORK = "berth.plugin-work";
  static final TopicPartition P = new TopicPartition(WORK, 0);
  static final TopicPartition STATUS = new TopicPartition("berth.lane-status", 0);
  static final TopicPartition EBS = new TopicPartition(WORK, Keys.partition("ebs", 2));

  final MockSchemaRegistryClient registry = new MockSchemaRegistryClient();
  final AvroSerde<Work> works = AvroSerde.of(registry, Work.class);
  final AvroSerde<LaneStatus> statuses = AvroSerde.of(registry, LaneStatus.class);
  final AvroSerde<Acceptance> acceptances = AvroSerde.of(registry, Acceptance.class);
  final ManualClocks clocks = new ManualClocks();
  final List<MockProducer<String, byte[]>> producers = new CopyOnWriteArrayList<>();

  /** What happens while a transaction is on its way. */
  volatile Runnable onCommit = () -> {};

  final MemberConsumer consumer = new MemberConsumer();
  final RecordedCalls calls = new RecordedCalls();
  Map<TopicPartition, Long> highWatermarks = Map.of();
  Executor looks = Runnable::run;
  int ids;

  @BeforeEach
  void describePartition() {
    consumer.updateBeginningOffsets(Map.of(P, 0L));
    consumer.updateEndOffsets(Map.of(P, 0L));
  }

  List<String> begun() {
    return calls.begun.stream().map(each -> each.work().getAttemptId()).toList();
  }

  /**
   * Reads one lane status that shows open attempts, and work of ebs's partition: up to offset 5
   * what is open, from there what is behind.
   */
  MockConsumer<String, byte[]> reader(List<Work> open, List<Work> behind) {
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

  static LaneStatus statusOf(List<Work> open) {
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

  static <T extends SpecificRecord> ConsumerRecord<String, byte[]> record(
      TopicPartition partition, long offset, T value, AvroSerde<T> serde) {
    return new ConsumerRecord<>(
        partition.topic(),
        partition.partition(),
        offset,
        "ebs",
        serde.serializer().serialize(partition.topic(), value));
  }

  static PartitionInfo partitionInfo(String topic, int partition) {
    Node broker = new Node(0, "127.0.0.1", 9092);
    return new PartitionInfo(topic, partition, broker, new Node[] {broker}, new Node[] {broker});
  }

  GroupMember member() {
    return member(works.deserializer());
  }

  GroupMember member(Deserializer<Work> workReader) {
    return member(workReader, () -> reader(List.of(), List.of()));
  }

  GroupMember member(Deserializer<Work> workReader, Supplier<Consumer<String, byte[]>> readers) {
    Topics topics = Topics.withDefaultPrefix();
    StartingPoint startingPoint =
        new StartingPoint(
            readers,
            new TopicEnd(this::highWatermarks, Duration.ofSeconds(30), clocks),
            workReader,
            statuses.deserializer(),
            topics,
            Optional.empty());
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

  /** A loop that polls with this consumer. */
  AcceptLoop loop(MemberConsumer ours, Membership membership, Clocks read) {
    Topics topics = Topics.withDefaultPrefix();
    return new AcceptLoop(
        Set.of(WORK),
        () -> ours,
        new AcceptLoop.Parts(
            "pool",
            "w1",
            membership,
            new AcceptTransaction(this::producer, topics, acceptances.serializer()),
            new StartingPoint(
                () -> reader(List.of(), List.of()),
                new TopicEnd(this::highWatermarks, Duration.ofSeconds(30), clocks),
                works.deserializer(),
                statuses.deserializer(),
                topics,
                Optional.empty()),
            Runnable::run,
            works.deserializer(),
            calls,
            read,
            () -> "x" + ++ids),
        () -> {});
  }

  Map<TopicPartition, Long> highWatermarks(Set<TopicPartition> partitions) {
    Map<TopicPartition, Long> asked = new HashMap<>(highWatermarks);
    asked.keySet().retainAll(partitions);
    return asked;
  }

  Producer<String, byte[]> producer() {
    MockProducer<String, byte[]> producer =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer()) {
          @Override
          public void commitTransaction() {
            onCommit.run();
            super.commitTransaction();
          }
        };
    producers.add(producer);
    return producer;
  }

  void polled(long offset, Work work) {
    consumer.addRecord(
        new ConsumerRecord<>(
            WORK, 0, offset, work.getPlugin(), works.serializer().serialize(WORK, work)));
  }

  List<Acceptance> accepted(MockProducer<String, byte[]> producer) {
    return producer.history().stream()
        .filter(record -> record.topic().equals("berth.work-acceptances"))
        .map(record -> acceptances.deserializer().deserialize(record.topic(), record.value()))
        .toList();
  }

  static List<Map<TopicPartition, OffsetAndMetadata>> offsets(
      MockProducer<String, byte[]> producer) {
    return producer.consumerGroupOffsetsHistory().stream()
        .map(each -> each.getOrDefault("berth.pool", Map.of()))
        .toList();
  }

  /** Its constructor is to become internal; Kafka's mock has no other way to set one. */
  @SuppressWarnings("removal")
  static ConsumerGroupMetadata metadata(int generation, String member) {
    return new ConsumerGroupMetadata("berth.pool", generation, member, Optional.empty());
  }

  /** A consumer whose membership a test can take away. */
  static class MemberConsumer extends MockConsumer<String, byte[]> {
    ConsumerGroupMetadata metadata = metadata(1, "member-1");

    MemberConsumer() {
      super("none");
    }

    @Override
    public synchronized ConsumerGroupMetadata groupMetadata() {
      return metadata;
    }
  }

  static final class RecordedCalls implements OpenCalls {
    final List<Accepted> begun = new CopyOnWriteArrayList<>();
    int room = 100;

    @Override
    public int room() {
      return room;
    }

    @Override
    public int take(int wanted) {
      int places = Math.max(0, Math.min(wanted, room));
      room -= places;
      return places;
    }

    @Override
    public void giveBack(int places) {
      room += places;
    }

    @Override
    public void begin(Accepted accepted) {
      begun.add(accepted);
      room--;
    }
  }
}
