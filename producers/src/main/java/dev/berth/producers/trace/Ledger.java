package dev.berth.producers.trace;

import dev.berth.records.FeedPosition;
import dev.berth.records.OpenAlloc;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a replay has said, as its position keeps it: how many allocs of the plan have claimed, and
 * which of those have not come to their end. The allocs claim in order and end in any.
 */
final class Ledger {

  private final String feed;
  private final TracePlan plan;
  private final String fingerprint;
  private final Clock clock;
  private final SortedMap<Integer, OpenAlloc> open = new TreeMap<>();
  private final Map<String, Long> counters = new HashMap<>();
  private int claimed;

  /**
   * Goes on from a position.
   *
   * @throws ReplayFailedException when the position is one of another trace
   */
  Ledger(String feed, TracePlan plan, Optional<FeedPosition> from, Clock clock) {
    this.feed = feed;
    this.plan = plan;
    this.fingerprint = plan.fingerprint();
    this.clock = clock;
    from.ifPresent(this::restore);
  }

  private void restore(FeedPosition position) {
    if (!position.getFingerprint().equals(fingerprint)) {
      throw new ReplayFailedException(
          "feed '%s' stands at alloc %d of another trace (%s, then); give the same files as then, or another feed id"
              .formatted(feed, position.getPosition(), position.getSource()),
          null);
    }
    claimed = Math.toIntExact(position.getPosition());
    position.getOpen().forEach(alloc -> open.put(alloc.getNumber(), alloc));
    counters.putAll(position.getCounters());
  }

  int claimed() {
    return claimed;
  }

  int ended() {
    return claimed - open.size();
  }

  List<OpenAlloc> open() {
    return List.copyOf(open.values());
  }

  boolean isOpen(int alloc) {
    return open.containsKey(alloc);
  }

  /** The next alloc claims. */
  FeedPosition claim(int alloc) {
    if (alloc == claimed) {
      claimed++;
    } else if (!open.containsKey(alloc)) {
      throw new IllegalStateException("alloc %d claims after %d".formatted(alloc, claimed));
    }
    open.put(alloc, new OpenAlloc(alloc, false, List.of()));
    return position();
  }

  /** The end of an alloc is said; its client has yet to unmount. */
  FeedPosition endedStillMounted(int alloc, List<Long> generations) {
    open.put(alloc, new OpenAlloc(alloc, true, generations));
    return position();
  }

  /** Nothing is left to be said of an alloc. */
  FeedPosition close(int alloc) {
    open.remove(alloc);
    return position();
  }

  /** Counts a claim's answer. */
  void count(String what) {
    counters.merge(what, 1L, Long::sum);
  }

  private FeedPosition position() {
    return new FeedPosition(
        feed,
        plan.trace().source(),
        fingerprint,
        (long) claimed,
        new ArrayList<>(open.values()),
        new HashMap<>(counters),
        clock.instant().truncatedTo(ChronoUnit.MILLIS),
        // The scheduler that writes it adds its id.
        null);
  }
}
