package dev.berth.streams.lanes;

import dev.berth.streams.work.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that is out and holds its lane.
 *
 * @param work what was dispatched
 * @param acceptances who has accepted it; nearly always none or one, see DESIGN.md for more
 * @param noWorkerShown whether its hold says that nobody accepts it
 */
public record Attempt(Work work, List<Acceptance> acceptances, boolean noWorkerShown) {

  /** How long nobody may accept an attempt before that is shown. */
  static final Duration NO_WORKER_AFTER = Duration.ofSeconds(30);

  /**
   * When a work record is gone from its topic for sure: the catalogue keeps it for 30 days, the
   * broker deletes by segments of a day. Dispatching again any earlier could give the attempt to
   * two workers.
   */
  static final Duration LOST_AFTER = Duration.ofDays(32);

  /** Keeps a copy. */
  public Attempt {
    acceptances = List.copyOf(acceptances);
  }

  /**
   * One worker's acceptance.
   *
   * @param id acceptance id
   * @param worker worker
   * @param readAt when it was read, or the partition last changed owner: its time runs from here
   * @param allowance time allowed and margin
   * @param end how its call ended; null while the call may be open
   */
  public record Acceptance(
      String id, String worker, Instant readAt, Duration allowance, @Nullable CallEnd end) {
    Instant deadline() {
      return Sortable.plus(readAt, allowance);
    }

    boolean open() {
      return end == null;
    }

    Acceptance ended(CallEnd how) {
      return new Acceptance(id, worker, readAt, allowance, how);
    }

    Acceptance anew(Instant now) {
      return new Acceptance(id, worker, now, allowance, end);
    }
  }

  String id() {
    return work.attemptId();
  }

  /** The request whose call it makes. */
  String requestId() {
    return work.calls().get(0).requestId();
  }

  /** When it needs to be looked at next. */
  Instant dueAt() {
    return acceptances.stream()
        .filter(Acceptance::open)
        .map(Acceptance::deadline)
        .min(Instant::compareTo)
        .orElseGet(
            () -> Sortable.plus(work.dispatchedAt(), noWorkerShown ? LOST_AFTER : NO_WORKER_AFTER));
  }

  boolean accepted() {
    return !acceptances.isEmpty();
  }

  @Nullable Acceptance acceptance(String id) {
    return acceptances.stream().filter(a -> a.id().equals(id)).findFirst().orElse(null);
  }

  Attempt with(Acceptance acceptance) {
    List<Acceptance> all = new ArrayList<>();
    boolean replaced = false;
    for (Acceptance one : acceptances) {
      boolean same = one.id().equals(acceptance.id());
      all.add(same ? acceptance : one);
      replaced |= same;
    }
    if (!replaced) {
      all.add(acceptance);
    }
    return new Attempt(work, all, noWorkerShown);
  }

  /** The attempt with its open acceptances counted from now. */
  Attempt anew(Instant now) {
    return new Attempt(
        work, acceptances.stream().map(a -> a.open() ? a.anew(now) : a).toList(), noWorkerShown);
  }

  /** How it ended; empty while some call of it may be open, or nobody has accepted it. */
  Optional<CallEnd> end() {
    List<CallEnd> ends = new ArrayList<>();
    for (Acceptance acceptance : acceptances) {
      CallEnd end = acceptance.end();
      if (end == null) {
        return Optional.empty();
      }
      ends.add(end);
    }
    return ends.stream().min(CallEnd.MOST_TELLING);
  }
}
