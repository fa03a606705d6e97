package dev.berth.workers.accept;

import dev.berth.schemas.topics.Keys;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
 * <p>After the topic got more partitions the node's work may lie in two of them: what was written
 * before in one, what is written now in another. So it goes on to poll those that it has offsets
 * of, until the broker forgets these.
 *
 * <p>The offsets are kept in the name of a group that nobody joins, so no generation fences it.
 * What does is the transactional id, the same for every process that serves the node: whoever
 * prepares a producer with it fences off those before, decides the transaction that they left open,
 * and then reads the offsets. So no two processes accept one record. Who was fenced off must not do
 * the same in turn while the other is there, or the two would go on like that for ever: it waits
 * for the other's signs to end ({@link Successor}).
 *
 * @param node the node (scheduler's id)
 */
record OfNode(String node) implements Membership {

  @Override
  public void join(
      Consumer<String, byte[]> consumer, Set<String> topics, ConsumerRebalanceListener listener) {
    Set<TopicPartition> partitions = new HashSet<>(byKey(consumer, topics));
    partitions.addAll(begunBefore(consumer, topics));
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

  @Override
  public boolean signs() {
    return true;
  }

  /** Three signs that have not come. */
  @Override
  public Optional<Duration> whenFenced() {
    return Optional.of(skipsWrittenEvery().multipliedBy(3));
  }

  @Override
  public boolean polls(Set<TopicPartition> assigned, TopicPartition partition) {
    return assigned.contains(partition);
  }

  /** The topic has got more partitions, and the node's work another place. */
  @Override
  public boolean isOutdated(Consumer<String, byte[]> consumer) {
    Set<TopicPartition> assigned = consumer.assignment();
    Set<String> topics =
        assigned.stream().map(TopicPartition::topic).collect(Collectors.toUnmodifiableSet());
    return !assigned.containsAll(byKey(consumer, topics));
  }

  /** Where the node's work is written now. */
  private List<TopicPartition> byKey(Consumer<String, byte[]> consumer, Set<String> topics) {
    return topics.stream()
        .map(topic -> new TopicPartition(topic, Keys.partition(node, count(consumer, topic))))
        .toList();
  }

  /** Where it was written before, too, as far as a process of this node has begun there. */
  private static Set<TopicPartition> begunBefore(
      Consumer<String, byte[]> consumer, Set<String> topics) {
    Set<TopicPartition> all =
        topics.stream()
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .collect(Collectors.toSet());
    return consumer.committed(all).entrySet().stream()
        .filter(committed -> committed.getValue() != null)
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static int count(Consumer<String, byte[]> consumer, String topic) {
    int count = consumer.partitionsFor(topic).size();
    if (count == 0) {
      throw new IllegalStateException("there is no topic " + topic + "; make it with the others");
    }
    return count;
  }
}
