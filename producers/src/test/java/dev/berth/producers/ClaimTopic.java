package dev.berth.producers;

import dev.berth.records.Claim;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** The claims topic in memory: what is added before a reading begins is in it. */
final class ClaimTopic {

  static final String NAME = "berth.claims";

  private final int partitions;
  private final List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
  private final List<MockConsumer<String, byte[]>> consumers = new ArrayList<>();

  ClaimTopic(int partitions) {
    this.partitions = partitions;
  }

  void add(int partition, Claim claim, Registry registry) {
    add(
        partition,
        SeenClaim.of(claim).key(),
        AvroSerde.of(registry, Claim.class).serializer().serialize(NAME, claim));
  }

  /** A null value is a tombstone. */
  void add(int partition, String key, byte[] value) {
    records.add(new ConsumerRecord<>(NAME, partition, end(partition), key, value));
  }

  /** A consumer for one reading. */
  MockConsumer<String, byte[]> consumer() {
    MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");
    Node[] none = {};
    consumer.updatePartitions(
        NAME,
        IntStream.range(0, partitions)
            .mapToObj(partition -> new PartitionInfo(NAME, partition, null, none, none))
            .toList());
    for (int partition = 0; partition < partitions; partition++) {
      TopicPartition of = new TopicPartition(NAME, partition);
      consumer.updateBeginningOffsets(Map.of(of, 0L));
      consumer.updateEndOffsets(Map.of(of, end(partition)));
    }
    List<ConsumerRecord<String, byte[]>> now = List.copyOf(records);
    consumer.schedulePollTask(() -> now.forEach(consumer::addRecord));
    consumers.add(consumer);
    return consumer;
  }

  /** The consumers made so far. */
  List<MockConsumer<String, byte[]>> consumers() {
    return consumers;
  }

  private long end(int partition) {
    return records.stream().filter(record -> record.partition() == partition).count();
  }
}
