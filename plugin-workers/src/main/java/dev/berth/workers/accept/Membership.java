package dev.berth.workers.accept;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;

/**
 * How an accept loop comes to its partitions, and what keeps others from accepting what is in them.
 */
interface Membership {

  /**
   * Begins to poll.
   *
   * @param topics the work topics
   * @param listener told of partitions that come and go
   */
  void join(
      Consumer<String, byte[]> consumer, Set<String> topics, ConsumerRebalanceListener listener);

  /** Returns under what offsets are committed now; empty while nothing may be accepted. */
  Optional<ConsumerGroupMetadata> fence(Consumer<String, byte[]> consumer);

  /**
   * Returns how often the offsets of records are written that were only skipped: those of others,
   * which are skipped again after a restart.
   */
  Duration skipsWrittenEvery();

  /**
   * Returns whether the offsets are signed and are written that often even when nothing came, so
   * that a process that was fenced off sees that the other is there.
   */
  boolean signs();

  /**
   * Returns after how long without a sign of the process that has fenced this one off that one is
   * taken for gone; empty where no process stays fenced off.
   */
  Optional<Duration> whenFenced();

  /**
   * Returns whether what lies in a partition of the work topics is polled, here or by others that
   * share the work, so that it must not be accepted in another way. Asked from any thread.
   *
   * @param assigned the partitions that are ours
   */
  boolean polls(Set<TopicPartition> assigned, TopicPartition partition);

  /** Returns whether the partitions are not the right ones any more, so that it is to join anew. */
  boolean isOutdated(Consumer<String, byte[]> consumer);
}
