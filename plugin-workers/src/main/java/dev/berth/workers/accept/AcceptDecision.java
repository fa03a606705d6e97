package dev.berth.workers.accept;

import dev.berth.records.Work;
import dev.berth.workers.accept.Polled.Dispatched;
import dev.berth.workers.accept.Polled.Unreadable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * What a worker does with the records of one poll.
 *
 * <p>Each record is accepted, skipped or deferred. A record is <em>skipped</em> when it belongs to
 * another route, when the worker knows the attempt already (it was dispatched again), or when it
 * cannot be read; its offset advances all the same. When there is no room for another open attempt,
 * the first record of a partition that would have been accepted is <em>deferred</em> with all that
 * follow it there: they are polled again later, in their order.
 *
 * @param accepted attempts to accept, in the order polled
 * @param skipped records passed over, in the order polled
 * @param next for each partition polled, the offset after the last record accepted or skipped
 * @param deferred for each partition with deferred records, the offset to poll again from
 */
public record AcceptDecision(
    List<Work> accepted,
    List<Skipped> skipped,
    Map<TopicPartition, Long> next,
    Map<TopicPartition, Long> deferred) {

  /** Why a record is passed over. */
  public enum Reason {
    /** Another consumer group may accept it. */
    OTHER_ROUTE,
    /** This worker has accepted the attempt before; it reports under that acceptance. */
    KNOWN_ATTEMPT,
    /** It is not a work record of ours; an operator finds it among the rejected records. */
    UNREADABLE
  }

  /**
   * A record passed over.
   *
   * @param record the record
   * @param reason why
   */
  public record Skipped(Polled record, Reason reason) {}

  /** Copies its collections. */
  public AcceptDecision {
    accepted = List.copyOf(accepted);
    skipped = List.copyOf(skipped);
    next = Map.copyOf(next);
    deferred = Map.copyOf(deferred);
  }

  /**
   * Decides.
   *
   * @param polled the records of one poll, those of one partition in the order of their offsets
   * @param route the route of this worker's group
   * @param known whether this worker has accepted an attempt (by id) before
   * @param room how many more attempts may be open
   */
  public static AcceptDecision decide(
      List<? extends Polled> polled, String route, Predicate<String> known, int room) {
    Draft draft = new Draft(route, known, room);
    polled.forEach(draft::add);
    return draft.decision();
  }

  /** Returns the skipped records that nobody can read. */
  public List<Unreadable> unreadable() {
    List<Unreadable> unreadable = new ArrayList<>();
    for (Skipped skip : skipped) {
      if (skip.record() instanceof Unreadable record) {
        unreadable.add(record);
      }
    }
    return unreadable;
  }

  private static final class Draft {
    private final String route;
    private final Predicate<String> known;
    private final int room;
    private final List<Work> accepted = new ArrayList<>();
    private final Set<String> acceptedIds = new HashSet<>();
    private final List<Skipped> skipped = new ArrayList<>();
    private final Map<TopicPartition, Long> next = new HashMap<>();
    private final Map<TopicPartition, Long> deferred = new HashMap<>();

    Draft(String route, Predicate<String> known, int room) {
      this.route = route;
      this.known = known;
      this.room = room;
    }

    void add(Polled record) {
      if (deferred.containsKey(record.partition())) {
        return;
      }
      if (record instanceof Unreadable) {
        skip(record, Reason.UNREADABLE);
      } else if (record instanceof Dispatched dispatched) {
        add(dispatched);
      }
    }

    private void add(Dispatched record) {
      Work work = record.work();
      String attempt = work.getAttemptId();
      if (!work.getRoute().equals(route)) {
        skip(record, Reason.OTHER_ROUTE);
      } else if (known.test(attempt) || acceptedIds.contains(attempt)) {
        skip(record, Reason.KNOWN_ATTEMPT);
      } else if (accepted.size() >= room) {
        deferred.put(record.partition(), record.offset());
      } else {
        accepted.add(work);
        acceptedIds.add(attempt);
        pass(record);
      }
    }

    private void skip(Polled record, Reason reason) {
      skipped.add(new Skipped(record, reason));
      pass(record);
    }

    private void pass(Polled record) {
      next.put(record.partition(), record.offset() + 1);
    }

    AcceptDecision decision() {
      return new AcceptDecision(accepted, skipped, next, deferred);
    }
  }
}
