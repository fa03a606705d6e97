package dev.berth.workers.accept;

import static dev.berth.workers.WorkFixtures.NOON;
import static dev.berth.workers.WorkFixtures.call;
import static dev.berth.workers.WorkFixtures.work;
import static dev.berth.workers.WorkFixtures.workCall;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CsiCall;
import dev.berth.records.LaneStatus;
import dev.berth.records.OpenAttempt;
import dev.berth.records.Work;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topics;
import dev.berth.workers.ManualClocks;
import dev.berth.workers.kafka.TopicEnd;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the worker of one node among very many reads when it starts for the first time. */
class StartingPointTest {

  private static final String WORK = "berth.node-work";
  private static final String LANES = "berth.lane-status";
  private static final TopicPartition STATUS = new TopicPartition(LANES, Keys.partition("ebs", 3));
  private static final TopicPartition OURS = new TopicPartition(WORK, Keys.partition("n1", 4));
  private static final long HISTORY = 1_000_000;

  private final MockSchemaRegistryClient registry = new MockSchemaRegistryClient();
  private final AvroSerde<Work> works = AvroSerde.of(registry, Work.class);
  private final AvroSerde<LaneStatus> statuses = AvroSerde.of(registry, LaneStatus.class);
  private final ReadTopics reader = new ReadTopics();

  @Test
  void nothingIsReadOfTheHistoryOfNodeWorkWhenNothingIsOpen() {
    Work ofAnother = nodeWork("t9").setRoute("node-n9").setInstanceNode("n9").build();
    reader.shows(ofAnother);

    StartingPoint.Found found = find();

    assertThat(found).isEqualTo(new StartingPoint.Found(Map.of(OURS, HISTORY), List.of()));
    assertThat(reader.assigned).containsExactly(statusPartitions(0, 1, 2));
  }

  @Test
  void ofTheStatusesOnlyThoseOfThePluginsThatAreServedAreRead() {
    Work open = nodeWork("t1").build();
    reader.shows(open);
    reader.has(HISTORY - 1, open);

    StartingPoint.Found found = find(Optional.of(Set.of("ebs")));

    assertThat(found.open()).containsExactly(open);
    assertThat(reader.assigned).startsWith(Set.of(STATUS));
  }

  private static Set<TopicPartition> statusPartitions(int... partitions) {
    return Arrays.stream(partitions)
        .mapToObj(partition -> new TopicPartition(LANES, partition))
        .collect(Collectors.toSet());
  }

  @Test
  void whatIsOpenIsLookedForFromTheTimeOfItsDispatchOnly() {
    Work open = nodeWork("t1").build();
    reader.shows(open);
    reader.has(HISTORY - 1, open);

    StartingPoint.Found found = find();

    assertThat(found).isEqualTo(new StartingPoint.Found(Map.of(OURS, HISTORY), List.of(open)));
    assertThat(reader.askedSince).containsExactly(NOON.minus(Duration.ofMinutes(1)).toEpochMilli());
    assertThat(reader.soughtTo).containsEntry(OURS, HISTORY - 1);
  }

  @Test
  void whatWaitsIsFoundUnderTheIdsOfItsAttemptsUntilItWaitsNoMore() {
    Work accepted = nodeWork("t1").build();
    Work waits = nodeWork("t2").build();
    reader.shows(accepted);
    reader.shows(waits);
    reader.showsNoMore("t1");
    reader.has(HISTORY - 1, waits);

    assertThat(find()).isEqualTo(new StartingPoint.Found(Map.of(OURS, HISTORY), List.of(waits)));
  }

  private static Work.Builder nodeWork(String attempt) {
    return work(attempt)
        .setRoute("node-n1")
        .setCalls(List.of(workCall(0, call(CsiCall.NODE_STAGE).build())));
  }

  private StartingPoint.Found find() {
    return find(Optional.empty());
  }

  private StartingPoint.Found find(Optional<Set<String>> plugins) {
    StartingPoint point =
        new StartingPoint(
            () -> reader,
            new TopicEnd(this::ends, Duration.ofSeconds(30), new ManualClocks()),
            works.deserializer(),
            statuses.deserializer(),
            Topics.withDefaultPrefix(),
            plugins);
    return point.find(Set.of(OURS), work -> work.getRoute().equals("node-n1"), partition -> false);
  }

  private Map<TopicPartition, Long> ends(Set<TopicPartition> partitions) {
    return partitions.stream()
        .collect(
            Collectors.toMap(
                partition -> partition,
                partition ->
                    partition.topic().equals(WORK)
                        ? HISTORY
                        : partition.equals(STATUS) ? reader.shown : 0L));
  }

  /** A reader that notes what is read. */
  private final class ReadTopics extends MockConsumer<String, byte[]> {
    private final List<Set<TopicPartition>> assigned = new ArrayList<>();
    private final Set<Long> askedSince = new HashSet<>();
    private final Map<TopicPartition, Long> soughtTo = new HashMap<>();
    private long shown;

    ReadTopics() {
      super("earliest");
      Node broker = new Node(0, "127.0.0.1", 9092);
      updatePartitions(
          LANES, List.of(info(LANES, 0, broker), info(LANES, 1, broker), info(LANES, 2, broker)));
      List<PartitionInfo> ofWork = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        ofWork.add(info(WORK, i, broker));
        updateEndOffsets(Map.of(new TopicPartition(WORK, i), HISTORY));
      }
      updatePartitions(WORK, ofWork);
      statusPartitions(0, 1, 2).forEach(each -> updateBeginningOffsets(Map.of(each, 0L)));
    }

    void shows(Work open) {
      LaneStatus status =
          LaneStatus.newBuilder()
              .setPlugin("ebs")
              .setPaused(false)
              .setQueued(0)
              .setHeld(0)
              .setInFlight(1)
              .setOpen(List.of(OpenAttempt.newBuilder().setWork(open).build()))
              .setAt(NOON)
              .build();
      byte[] value = statuses.serializer().serialize(STATUS.topic(), status);
      status(open.getAttemptId(), value);
    }

    void showsNoMore(String attempt) {
      status(attempt, null);
    }

    private void status(String key, byte @Nullable [] value) {
      ConsumerRecord<String, byte[]> record =
          new ConsumerRecord<>(STATUS.topic(), STATUS.partition(), shown++, key, value);
      schedulePollTask(() -> addRecord(record));
    }

    void has(long offset, Work work) {
      byte[] value = works.serializer().serialize(WORK, work);
      schedulePollTask(
          () -> addRecord(new ConsumerRecord<>(WORK, OURS.partition(), offset, "n1", value)));
    }

    @Override
    public synchronized void assign(Collection<TopicPartition> partitions) {
      assigned.add(Set.copyOf(partitions));
      super.assign(partitions);
    }

    @Override
    public synchronized void seek(TopicPartition partition, long offset) {
      soughtTo.put(partition, offset);
      super.seek(partition, offset);
    }

    @Override
    public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
        Map<TopicPartition, Long> times) {
      askedSince.addAll(times.values());
      Map<TopicPartition, OffsetAndTimestamp> found = new HashMap<>();
      times.forEach(
          (partition, time) ->
              found.put(
                  partition,
                  partition.equals(OURS) ? new OffsetAndTimestamp(HISTORY - 1, time) : null));
      return found;
    }

    private PartitionInfo info(String topic, int partition, Node broker) {
      return new PartitionInfo(topic, partition, broker, new Node[] {broker}, new Node[] {broker});
    }
  }
}
