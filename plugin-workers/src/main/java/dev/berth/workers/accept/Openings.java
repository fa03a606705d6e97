package dev.berth.workers.accept;

import dev.berth.records.Work;
import dev.berth.workers.accept.StartingPoint.Found;
import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that have no offsets, and the search for where to begin in them. It reads other
 * topics, which can take as long as a transaction stays open or the registry is away: meanwhile the
 * other partitions go on.
 *
 * <pre>
 *  add ──► pending ──look──► looked at ──found──► committed by whoever asks ──► done
 *             ▲                  │
 *             └── failed, or the partitions have changed meanwhile
 * </pre>
 *
 * <p>Confined to the thread of the accept loop, but for the look itself.
 */
final class Openings {

  private static final Logger log = LoggerFactory.getLogger(Openings.class);

  /** How long a look that failed is not repeated. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final StartingPoint startingPoint;
  private final Executor looks;
  private final Clocks clocks;
  private final Set<TopicPartition> pending = new HashSet<>();
  private @Nullable Look underWay;
  private @Nullable Failure failure;

  private record Look(Set<TopicPartition> partitions, CompletableFuture<Found> found) {}

  private record Failure(Moment at, String why) {}

  /**
   * @param startingPoint finds where to begin
   * @param looks where it does so
   * @param clocks clocks of the process
   */
  Openings(StartingPoint startingPoint, Executor looks, Clocks clocks) {
    this.startingPoint = startingPoint;
    this.looks = looks;
    this.clocks = clocks;
  }

  /** Returns the partitions in which nobody knows yet where to begin. */
  Set<TopicPartition> pending() {
    return Set.copyOf(pending);
  }

  /** Returns whether a look is under way. */
  boolean looking() {
    return underWay != null;
  }

  /** Notes partitions without offsets. */
  void add(Collection<TopicPartition> partitions) {
    pending.addAll(partitions);
  }

  /** Forgets partitions: they have offsets, or are not ours any more. */
  void remove(Collection<TopicPartition> partitions) {
    pending.removeAll(partitions);
    Look look = underWay;
    if (look != null && partitions.stream().anyMatch(look.partitions()::contains)) {
      // What it finds is about all of them together; and one may come back with offsets.
      underWay = null;
    }
  }

  /** Returns what it waits for, in a line for people; empty when it waits for nothing. */
  Optional<String> waiting() {
    Failure last = failure;
    return pending.isEmpty() || last == null
        ? Optional.empty()
        : Optional.of("%s wait for where to begin: %s".formatted(pending, last.why()));
  }

  /**
   * Returns what a look has found of partitions that are all pending still, once; begins the next
   * look when none is under way.
   *
   * @param ours whether work is of our route; asked by another thread
   * @param polled whether a partition with offsets is polled by the group; asked by another thread
   */
  Optional<Found> found(Predicate<Work> ours, Predicate<TopicPartition> polled) {
    begin(ours, polled);
    Look look = underWay;
    if (look == null || !look.found().isDone()) {
      return Optional.empty();
    }
    underWay = null;
    try {
      Found found = look.found().join();
      failure = null;
      return Optional.of(found);
    } catch (CompletionException e) {
      String why = String.valueOf(e.getCause() == null ? e : e.getCause());
      log.warn("beginning not found yet partitions={} error={}", look.partitions(), why);
      failure = new Failure(clocks.read(), why);
      return Optional.empty();
    }
  }

  private void begin(Predicate<Work> ours, Predicate<TopicPartition> polled) {
    Failure last = failure;
    boolean resting = last != null && clocks.read().since(last.at()).compareTo(AGAIN) < 0;
    if (pending.isEmpty() || underWay != null || resting) {
      return;
    }
    Set<TopicPartition> partitions = pending();
    underWay =
        new Look(
            partitions,
            CompletableFuture.supplyAsync(
                () -> startingPoint.find(partitions, ours, polled), looks));
  }
}
