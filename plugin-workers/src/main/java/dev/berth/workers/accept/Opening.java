package dev.berth.workers.accept;

import dev.berth.records.LaneStatus;
import dev.berth.records.OpenAttempt;
import dev.berth.records.Work;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Where a group begins that has no offsets for a partition: at its end, after accepting what lies
 * before the end and is still open.
 *
 * <p>What is open says {@code lane-status}, which Streams writes in the same transaction as the
 * work. Who accepts it follows from where its record lies, not from its key: after a topic got more
 * partitions, work that was written before lies where its key does not lead any more, and would be
 * accepted by the owners of both partitions, or by none.
 */
final class Opening {

  private Opening() {}

  /**
   * Where a record lies.
   *
   * @param partition its partition
   * @param offset its offset
   */
  record Place(TopicPartition partition, long offset) {}

  /**
   * Returns what is open and accepted by nobody, oldest first within a plugin.
   *
   * @param statuses the latest status of every plugin
   * @param ours whether work is of our route and topics, and not accepted by this worker before
   */
  static List<Work> unaccepted(Collection<LaneStatus> statuses, Predicate<Work> ours) {
    Map<String, Work> open = new LinkedHashMap<>();
    for (LaneStatus status : statuses) {
      for (OpenAttempt attempt : status.getOpen()) {
        Work work = attempt.getWork();
        if (attempt.getAcceptanceId().isEmpty() && ours.test(work)) {
          open.putIfAbsent(work.getAttemptId(), work);
        }
      }
    }
    return new ArrayList<>(open.values());
  }

  /**
   * Whether to accept now what nobody has accepted yet. What lies at or behind the end of a
   * partition, or in a partition that is polled anyway, will be polled, by this worker or by
   * whoever owns the partition after it, and would be called twice.
   *
   * @param place where its record lies; null when the topic has lost it
   * @param byKey the partition that its key leads to now
   * @param ends the partitions that are begun, and the offsets to begin at
   * @param polled whether a partition that is not begun now is polled by the group
   */
  static boolean accepts(
      @Nullable Place place,
      TopicPartition byKey,
      Map<TopicPartition, Long> ends,
      Predicate<TopicPartition> polled) {
    if (place == null) {
      return ends.containsKey(byKey);
    }
    return Optional.ofNullable(ends.get(place.partition()))
        .map(end -> place.offset() < end)
        .orElseGet(() -> !polled.test(place.partition()));
  }
}
