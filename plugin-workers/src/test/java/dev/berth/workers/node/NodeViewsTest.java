package dev.berth.workers.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.NodeStatus;
import dev.berth.records.NodeView;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Keys;
import dev.berth.workers.ManualClocks;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class NodeViewsTest {

  private static final String TOPIC = "berth.node-views";
  private static final int PARTITIONS = 4;
  private static final TopicPartition OF_N1 = partition("n1");

  private final AvroSerde<NodeView> serde =
      AvroSerde.of(new MockSchemaRegistryClient(), NodeView.class);
  private final ManualClocks clocks = new ManualClocks();
  private final List<ConsumerRecord<String, byte[]>> written = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();
  private UnaryOperator<Boolean> whenAsked = answers -> answers;
  private final NodeViews views =
      new NodeViews(
          Set.of("n1"),
          TOPIC,
          () -> {
            Reader reader = new Reader();
            readers.add(reader);
            return reader;
          },
          serde.deserializer(),
          clocks);

  @Test
  void whatIsWrittenBeforeTheQuestionCounts() {
    write("n1", 7);
    assertThat(views.refusal("n1", 7)).isEmpty();

    write("n1", 8);

    assertThat(views.refusal("n1", 7))
        .contains("meant for incarnation 7 of node n1, which is 8 now");
    assertThat(views.refusal("n1", 8)).isEmpty();
  }

  @Test
  void onlyThePartitionsOfTheWorkersNodesAreRead() {
    write("n1", 7);

    views.refusal("n1", 7);

    assertThat(readers).hasSize(1);
    assertThat(readers.get(0).assignment()).containsExactly(OF_N1);
  }

  @Test
  void aViewThatIsOlderThanTheWorkIsWaitedForAWhile() {
    write("n1", 6);

    assertThat(views.refusal("n1", 7))
        .contains("meant for incarnation 7 of node n1, of which only 6 is known");
  }

  @Test
  void workIsRefusedWhileNothingIsKnownOfTheNode() {
    assertThat(views.refusal("n1", 1))
        .contains("meant for incarnation 1 of node n1, of which nothing is known");
  }

  @Test
  void workIsRefusedWhileTheClusterDoesNotAnswerAndNotAfter() {
    write("n1", 7);
    whenAsked =
        answers -> {
          throw new KafkaException("no broker");
        };
    assertThat(views.refusal("n1", 7))
        .contains(
            "the present incarnation of node n1 cannot be learnt from berth.node-views: no broker");

    whenAsked = answers -> answers;

    assertThat(views.refusal("n1", 7)).isEmpty();
    assertThat(readers).hasSize(2);
    assertThat(readers.get(0).closed()).isTrue();
  }

  @Test
  void aViewThatNobodyCanReadIsNoView() {
    write("n1", 7);
    written.add(record("n1", new byte[] {9}));

    assertThat(views.refusal("n1", 7))
        .contains("meant for incarnation 7 of node n1, of which nothing is known");
  }

  private void write(String node, long incarnation) {
    NodeView view =
        NodeView.newBuilder()
            .setNode(node)
            .setScheduler("nomad")
            .setStatus(NodeStatus.READY)
            .setEligible(true)
            .setIncarnation(incarnation)
            .build();
    written.add(record(node, serde.serializer().serialize(TOPIC, view)));
  }

  private ConsumerRecord<String, byte[]> record(String node, byte[] value) {
    return new ConsumerRecord<>(TOPIC, partition(node).partition(), written.size(), node, value);
  }

  private static TopicPartition partition(String node) {
    return new TopicPartition(TOPIC, Keys.partition(node, PARTITIONS));
  }

  /** Reads what the test has written, and lets time pass with each poll. */
  private final class Reader extends MockConsumer<String, byte[]> {
    private int given;

    Reader() {
      super("earliest");
      Node broker = new Node(1, "localhost", 1);
      updatePartitions(
          TOPIC,
          IntStream.range(0, PARTITIONS)
              .mapToObj(
                  i ->
                      new PartitionInfo(TOPIC, i, broker, new Node[] {broker}, new Node[] {broker}))
              .toList());
      updateBeginningOffsets(Map.of(OF_N1, 0L));
    }

    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(
        java.util.Collection<TopicPartition> partitions, Duration timeout) {
      boolean unused = whenAsked.apply(true);
      clocks.advance(Duration.ofMillis(10));
      return Map.of(OF_N1, (long) written.size());
    }

    @Override
    public synchronized ConsumerRecords<String, byte[]> poll(Duration timeout) {
      for (; given < written.size(); given++) {
        addRecord(written.get(given));
      }
      return super.poll(timeout);
    }
  }
}
