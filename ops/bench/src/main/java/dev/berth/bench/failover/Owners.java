package dev.berth.bench.failover;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;

/**
 * Which process has which partitions of a group, as its broker says.
 *
 * @param byProcess partitions by name of the process
 */
record Owners(Map<String, Set<TopicPartition>> byProcess) {
  Owners {
    byProcess = Map.copyOf(byProcess);
  }

  /**
   * Asks.
   *
   * @param processes names of the processes, with which the client ids of their members begin
   * @return empty while the group is on its way to somewhere else
   * @throws IllegalStateException when the broker does not say
   */
  static Optional<Owners> of(Admin admin, String group, Collection<String> processes)
      throws InterruptedException {
    ConsumerGroupDescription described;
    try {
      described =
          admin
              .describeConsumerGroups(List.of(group))
              .describedGroups()
              .values()
              .iterator()
              .next()
              .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("group %s cannot be looked at".formatted(group), e);
    }
    if (described.groupState() != GroupState.STABLE) {
      return Optional.empty();
    }
    Map<String, Set<TopicPartition>> partitions = new HashMap<>();
    for (MemberDescription member : described.members()) {
      processes.stream()
          .filter(process -> member.clientId().startsWith(process + "-"))
          .forEach(
              process ->
                  partitions
                      .computeIfAbsent(process, unused -> new HashSet<>())
                      .addAll(member.assignment().topicPartitions()));
    }
    return Optional.of(new Owners(partitions));
  }

  /** The partitions of a topic that a process has. */
  Set<Integer> partitions(String process, String topic) {
    return byProcess.getOrDefault(process, Set.of()).stream()
        .filter(partition -> partition.topic().equals(topic))
        .map(TopicPartition::partition)
        .collect(Collectors.toSet());
  }

  /** Whether all partitions of a topic are somebody's. */
  boolean haveAll(String topic, int count) {
    return byProcess.keySet().stream().mapToInt(process -> partitions(process, topic).size()).sum()
        == count;
  }

  /**
   * The process that has the most partitions of a topic, and the first by name among equals.
   *
   * @throws IllegalStateException when nobody has any
   */
  String ofMost(String topic) {
    return byProcess.keySet().stream()
        .filter(process -> !partitions(process, topic).isEmpty())
        .sorted()
        .reduce(
            (one, other) ->
                partitions(one, topic).size() >= partitions(other, topic).size() ? one : other)
        .orElseThrow(() -> new IllegalStateException("nobody has a partition of " + topic));
  }
}
