package dev.berth.workers.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.schemas.topics.Keys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OfNodeTest {

  private static final String WORK = "berth.node-work";

  private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("none");
  private final List<TopicPartition> told = new ArrayList<>();
  private final OfNode membership = new OfNode("n1");

  @Test
  void onlyThePartitionOfTheNodeIsPolled() {
    partitions(12);

    join();

    assertThat(consumer.assignment()).containsExactly(ofNode(12));
    assertThat(told).containsExactly(ofNode(12));
    assertThat(membership.isOutdated(consumer)).isFalse();
  }

  @Test
  void aTopicWithMorePartitionsHasTheNodesWorkElsewhere() {
    partitions(12);
    join();

    partitions(25);

    assertThat(ofNode(25)).isNotEqualTo(ofNode(12));
    assertThat(membership.isOutdated(consumer)).isTrue();
  }

  @Test
  void whatWasWrittenBeforeATopicGotMorePartitionsIsPolledToItsEnd() {
    partitions(12);
    join();
    consumer.commitSync(Map.of(ofNode(12), new OffsetAndMetadata(3)));

    partitions(25);
    join();

    assertThat(consumer.assignment()).containsExactlyInAnyOrder(ofNode(12), ofNode(25));
    assertThat(membership.isOutdated(consumer)).isFalse();
    assertThat(membership.polls(consumer.assignment(), ofNode(12))).isTrue();
    assertThat(membership.polls(consumer.assignment(), new TopicPartition(WORK, 24))).isFalse();
  }

  @Test
  void aTopicThatIsMissingIsNamed() {
    partitions(0);

    assertThatThrownBy(this::join)
        .hasMessage("there is no topic berth.node-work; make it with the others");
  }

  private void join() {
    membership.join(
        consumer,
        Set.of(WORK),
        new ConsumerRebalanceListener() {
          @Override
          public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

          @Override
          public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            told.addAll(partitions);
          }
        });
  }

  private void partitions(int count) {
    Node broker = new Node(0, "127.0.0.1", 9092);
    consumer.updatePartitions(
        WORK,
        IntStream.range(0, count)
            .mapToObj(
                i -> new PartitionInfo(WORK, i, broker, new Node[] {broker}, new Node[] {broker}))
            .toList());
  }

  private static TopicPartition ofNode(int count) {
    return new TopicPartition(WORK, Keys.partition("n1", count));
  }
}
