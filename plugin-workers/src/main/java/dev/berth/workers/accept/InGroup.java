package dev.berth.workers.accept;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;

/** The workers of a route share its work as a consumer group, whose generation fences them. */
record InGroup() implements Membership {

  @Override
  public void join(
      Consumer<String, byte[]> consumer, Set<String> topics, ConsumerRebalanceListener listener) {
    consumer.subscribe(topics, listener);
  }

  /**
   * A consumer that has lost its place gives a metadata without member, and the broker takes
   * offsets with such a metadata from anybody: it is how old producers commit. Ours must never.
   */
  @Override
  public Optional<ConsumerGroupMetadata> fence(Consumer<String, byte[]> consumer) {
    ConsumerGroupMetadata group = consumer.groupMetadata();
    return group.generationId() > 0 && !group.memberId().isEmpty()
        ? Optional.of(group)
        : Optional.empty();
  }

  @Override
  public Duration skipsWrittenEvery() {
    return Duration.ofSeconds(5);
  }

  @Override
  public boolean signs() {
    return false;
  }

  /** Its transactional id is its own: only the broker can have fenced it, over a timeout. */
  @Override
  public Optional<Duration> whenFenced() {
    return Optional.empty();
  }

  /** Somebody of the group does, now or after the next rebalance. */
  @Override
  public boolean polls(Set<TopicPartition> assigned, TopicPartition partition) {
    return true;
  }

  @Override
  public boolean isOutdated(Consumer<String, byte[]> consumer) {
    return false;
  }
}
