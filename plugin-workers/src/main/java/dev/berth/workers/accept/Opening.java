package dev.berth.workers.accept;

import dev.berth.records.LaneStatus;
import dev.berth.records.OpenAttempt;
import dev.berth.records.Work;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where a group begins that has no offsets for a partition: at its end, after accepting what lies
 * before the end and is still open.
 *
 * <p>What is open says {@code lane-status}, which Streams writes in the same transaction as the
 * work. Everything it shows as open and not accepted is taken, except what lies at or behind the
 * end: that will be polled, by this worker or by whoever owns the partition after it, and would be
 * called twice.
 */
final class Opening {

  private Opening() {}

  /**
   * Returns the attempts to accept, oldest first within a plugin.
   *
   * @param statuses the latest status of every plugin
   * @param mine whether a work record belongs to the partitions in question
   * @param behind ids of the attempts at or behind the end of those partitions
   */
  static List<Work> toAccept(Collection<LaneStatus> statuses, Mine mine, Set<String> behind) {
    Map<String, Work> open = new LinkedHashMap<>();
    for (LaneStatus status : statuses) {
      for (OpenAttempt attempt : status.getOpen()) {
        Work work = attempt.getWork();
        if (attempt.getAcceptanceId().isEmpty()
            && mine.test(work)
            && !behind.contains(work.getAttemptId())) {
          open.putIfAbsent(work.getAttemptId(), work);
        }
      }
    }
    return new ArrayList<>(open.values());
  }

  /** Whether a work record belongs to the partitions in question. */
  @FunctionalInterface
  interface Mine {
    boolean test(Work work);
  }
}
