package dev.berth.workers.accept;

import dev.berth.schemas.topics.Keys;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;

/**
 * The one worker of a node polls the partition that holds the node's work, and no other: with 1,500
 * nodes each work record is read by those that share its partition, not by all.
 *
 * <p>The offsets are kept in the name of a group that nobody joins, so no generation fences it.
 * What does is the transactional id, the same for every process that serves the node: whoever
 * prepares a producer with it fences off those before, decides the transaction that they left open,
 * and then reads the offsets. So no two processes accept one record.
 *
 * @param node the node (scheduler's id)
 */
record OfNode(String node) implements Membership {

  @Override
  public void join(
      Consumer<String, byte[]> consumer, Set<String> topics, ConsumerRebalanceListener listener) {
    List<TopicPartition> partitions = partitions(consumer, topics);
    consumer.assign(partitions);
    listener.onPartitionsAssigned(partitions);
  }

  @Override
  public Optional<ConsumerGroupMetadata> fence(Consumer<String, byte[]> consumer) {
    return Optional.of(consumer.groupMetadata());
  }

  /** A transaction now and then for each of very many workers is a load of its own. */
  @Override
  public Duration skipsWrittenEvery() {
    return Duration.ofMinutes(1);
  }

  /** Long enough for the end of whichever of the two processes should not be there. */
  @Override
  public Optional<Duration> whenFenced() {
    return Optional.of(Duration.ofSeconds(30));
  }

  /** The topic has got more partitions, and the node's work another place. */
  @Override
  public boolean isOutdated(Consumer<String, byte[]> consumer) {
    Set<TopicPartition> assigned = consumer.assignment();
    Set<String> topics =
        assigned.stream().map(TopicPartition::topic).collect(Collectors.toUnmodifiableSet());
    return !assigned.equals(Set.copyOf(partitions(consumer, topics)));
  }

  private List<TopicPartition> partitions(Consumer<String, byte[]> consumer, Set<String> topics) {
    return topics.stream()
        .map(topic -> new TopicPartition(topic, Keys.partition(node, count(consumer, topic))))
        .toList();
  }

  private static int count(Consumer<String, byte[]> consumer, String topic) {
    int count = consumer.partitionsFor(topic).size();
    if (count == 0) {
      throw new IllegalStateException("there is no topic " + topic + "; make it with the others");
    }
    return count;
  }
}
