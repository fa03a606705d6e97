package dev.berth.workers.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topics;
import dev.berth.workers.kafka.TopicEnd;
import dev.berth.workers.time.Clocks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Whose calls a worker says that it takes, which is what its instances are reported by. */
class PolledKeysTest extends GroupMemberFixture {

  @Test
  void aKeyThatLeadsHereSinceTheTopicGotMorePartitionsIsPolledThoughTheAssignmentIsTheSame() {
    // Partition 0 of 2 is not the key's; partition 0 of 3 is.
    String key =
        Stream.iterate(0, i -> i + 1)
            .map(i -> "plugin-" + i)
            .filter(id -> Keys.partition(id, 2) == 1 && Keys.partition(id, 3) == 0)
            .findFirst()
            .orElseThrow();
    MemberConsumer ours = new Assigned();
    ours.updatePartitions(WORK, partitions(2));
    ours.updateBeginningOffsets(Map.of(P, 0L));
    AcceptLoop loop = loop(ours);
    AtomicInteger moved = new AtomicInteger();
    loop.whenMoved(moved::incrementAndGet);
    loop.start();
    try {
      await().until(() -> moved.get() > 0 && loop.isSettled());
      assertThat(loop.polls(WORK, key)).isFalse();

      // The new partition goes to another member of the group; here nothing else changes.
      ours.updatePartitions(WORK, partitions(3));

      await()
          .atMost(Duration.ofSeconds(5))
          .untilAsserted(() -> assertThat(loop.polls(WORK, key)).isTrue());
    } finally {
      loop.close();
    }
  }

  private static List<PartitionInfo> partitions(int count) {
    return IntStream.range(0, count).mapToObj(i -> partitionInfo(WORK, i)).toList();
  }

  private AcceptLoop loop(MemberConsumer ours) {
    Topics topics = Topics.withDefaultPrefix();
    return new AcceptLoop(
        Set.of(WORK),
        () -> ours,
        new AcceptLoop.Parts(
            "pool",
            "w1",
            new InGroup(),
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
            Clocks.system(),
            () -> "x" + ++ids),
        () -> {});
  }

  /** Is given its partition, with offsets, when it joins. */
  private static final class Assigned extends MemberConsumer {
    @Override
    public synchronized void subscribe(
        java.util.Collection<String> names,
        org.apache.kafka.clients.consumer.ConsumerRebalanceListener listener) {
      super.subscribe(names, listener);
      rebalance(Set.of(new TopicPartition(WORK, 0)));
      commitSync(Map.of(P, new OffsetAndMetadata(0)));
    }
  }
}
