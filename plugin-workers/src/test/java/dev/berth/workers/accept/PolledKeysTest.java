package dev.berth.workers.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.schemas.topics.Keys;
import dev.berth.workers.time.Clocks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecords;
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
    AcceptLoop loop = loop(ours, new InGroup(), Clocks.system());
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

  @Test
  void aWorkerThatStoodStillForASessionDoesNotSayThatItTakesCalls() {
    String key = keyOf(0, 1);
    CountDownLatch goesOn = new CountDownLatch(1);
    AtomicBoolean stopped = new AtomicBoolean();
    MemberConsumer ours =
        new Assigned() {
          @Override
          public synchronized ConsumerRecords<String, byte[]> poll(Duration timeout) {
            if (stopped.get()) {
              awaitUninterrupted(goesOn);
            }
            return super.poll(timeout);
          }
        };
    ours.updatePartitions(WORK, partitions(1));
    ours.updateBeginningOffsets(Map.of(P, 0L));
    AcceptLoop loop = loop(ours, new InGroup(), clocks);
    loop.start();
    try {
      await().until(() -> loop.polls(WORK, key));

      stopped.set(true);
      clocks.advance(Duration.ofSeconds(7));

      assertThat(loop.polls(WORK, key)).isFalse();
    } finally {
      goesOn.countDown();
      loop.close();
    }
  }

  private static String keyOf(int partition, int count) {
    return Stream.iterate(0, i -> i + 1)
        .map(i -> "plugin-" + i)
        .filter(id -> Keys.partition(id, count) == partition)
        .findFirst()
        .orElseThrow();
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<PartitionInfo> partitions(int count) {
    return IntStream.range(0, count).mapToObj(i -> partitionInfo(WORK, i)).toList();
  }

  /** Is given its partition, with offsets, when it joins. */
  private static class Assigned extends MemberConsumer {
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
