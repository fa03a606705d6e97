package dev.berth.streams.lanes;

import dev.berth.streams.work.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that is out and holds its lane: one call, or a run of calls made one after the other.
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
   * @param id acceptance id; empty for one that may be on its way, see {@link #outdated}
   * @param worker worker; empty when unknown
   * @param readAt when it was read, or the partition last changed owner: its time runs from here
   * @param allowance time allowed and margin
   * @param ends how calls ended, by their place in the run (0 is the first); a call without an end
   *     may be open, or may yet be made
   */
  public record Acceptance(
      String id, String worker, Instant readAt, Duration allowance, Map<Integer, CallEnd> ends) {
    /** Keeps a copy. */
    public Acceptance {
      ends = Map.copyOf(ends);
    }

    Instant deadline() {
      return Sortable.plus(readAt, allowance);
    }

    Acceptance ended(int index, CallEnd how) {
      Map<Integer, CallEnd> known = new TreeMap<>(ends);
      known.put(index, how);
      return new Acceptance(id, worker, readAt, allowance, known);
    }

    Acceptance anew(Instant now) {
      return new Acceptance(id, worker, now, allowance, ends);
    }

    boolean onlySupposed() {
      return id.isEmpty();
    }
  }

  String id() {
    return work.attemptId();
  }

  /** Calls in its run (count). */
  int size() {
    return work.calls().size();
  }

  /** The request of a call of it, by its place in the run. */
  String requestId(int index) {
    return work.calls().get(index).requestId();
  }

  /** The queue that a call of it came from, by its place in the run. */
  LaneKind kind(int index) {
    return LaneKind.of(work.calls().get(index).call().rpc());
  }

  /** The place in the run of a request that has a call in it. */
  int place(String requestId) {
    int place = 0;
    while (place < size() - 1 && !requestId(place).equals(requestId)) {
      place++;
    }
    return place;
  }

  /** Whether a call of it may be open under an acceptance, or may yet be made. */
  boolean open(Acceptance acceptance) {
    return acceptance.ends().size() < size();
  }

  /** When it needs to be looked at next. */
  Instant dueAt() {
    return acceptances.stream()
        .filter(this::open)
        .map(Acceptance::deadline)
        .min(Instant::compareTo)
        .orElseGet(
            () -> Sortable.plus(work.dispatchedAt(), noWorkerShown ? LOST_AFTER : NO_WORKER_AFTER));
  }

  /** Whether anybody is known to have accepted it. */
  boolean accepted() {
    return acceptances.stream().anyMatch(acceptance -> !acceptance.onlySupposed());
  }

  /** Whether a worker may still have to accept it. */
  public boolean waits() {
    return !accepted();
  }

  /** Whether it ends with its time, whatever is heard of it. */
  boolean timed() {
    return !acceptances.isEmpty();
  }

  @Nullable Acceptance acceptance(String id) {
    return acceptances.stream().filter(a -> a.id().equals(id)).findFirst().orElse(null);
  }

  /**
   * The attempt when its node is past the incarnation that it was meant for: a worker that has not
   * looked yet will refuse it, and one that looked just before has accepted it by now, whether that
   * was read or not. So its time runs from now, as if it was accepted now.
   */
  Attempt outdated(Instant now, Duration allowance) {
    return with(new Acceptance("", "", now, allowance, Map.of()));
  }

  Attempt with(Acceptance acceptance) {
    List<Acceptance> all = new ArrayList<>();
    boolean replaced = false;
    for (Acceptance one : acceptances) {
      boolean same = one.id().equals(acceptance.id());
      if (same || !one.onlySupposed()) {
        all.add(same ? acceptance : one);
      }
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
        work, acceptances.stream().map(a -> open(a) ? a.anew(now) : a).toList(), noWorkerShown);
  }

  /** Whether no call of it can be open any more. */
  boolean over() {
    return timed() && acceptances.stream().noneMatch(this::open);
  }

  /**
   * How a call of it ended; empty while the call may be open, may yet be made, or nobody has
   * accepted the attempt.
   */
  Optional<CallEnd> end(int index) {
    List<CallEnd> ends = new ArrayList<>();
    for (Acceptance acceptance : acceptances) {
      CallEnd end = acceptance.ends().get(index);
      if (end == null) {
        return Optional.empty();
      }
      ends.add(end);
    }
    return ends.stream().min(CallEnd.MOST_TELLING);
  }
}
