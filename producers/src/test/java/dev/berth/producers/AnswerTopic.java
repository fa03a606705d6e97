package dev.berth.producers;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** A topic of answers in memory, with the consumer that reads it. Each partition begins at 100. */
final class AnswerTopic {

  private static final long END = 100;

  private final String name;
  private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("latest");
  private final Map<Integer, Long> nextOffset = new HashMap<>();

  AnswerTopic(String name, int partitions) {
    this.name = name;
    grow(partitions);
  }

  MockConsumer<String, byte[]> consumer() {
    return consumer;
  }

  /** Gives the topic more partitions. */
  void grow(int partitions) {
    synchronized (consumer) {
      Node[] none = {};
      List<PartitionInfo> infos =
          IntStream.range(0, partitions)
              .mapToObj(partition -> new PartitionInfo(name, partition, null, none, none))
              .toList();
      consumer.updatePartitions(name, infos);
      for (int partition = 0; partition < partitions; partition++) {
        if (nextOffset.putIfAbsent(partition, END) == null) {
          TopicPartition added = new TopicPartition(name, partition);
          consumer.updateBeginningOffsets(Map.of(added, END));
          consumer.updateEndOffsets(Map.of(added, END));
        }
      }
    }
  }

  /** Puts an answer on the topic. */
  <T extends SpecificRecord> void add(
      int partition, String key, T answer, Registry registry, Class<T> type) {
    add(partition, key, AvroSerde.of(registry, type).serializer().serialize(name, answer));
  }

  void add(int partition, String key, byte[] value) {
    consumer.schedulePollTask(
        () -> {
          long offset = nextOffset.merge(partition, 1L, Long::sum) - 1;
          consumer.addRecord(new ConsumerRecord<>(name, partition, offset, key, value));
        });
  }
}
