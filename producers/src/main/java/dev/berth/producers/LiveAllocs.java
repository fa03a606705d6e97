package dev.berth.producers;

import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The complete list of a scheduler's live allocs, as a {@link LiveAllocSource} gives it. Live is
 * every alloc whose client may still use its volumes: all but those that are complete, failed, lost
 * or deleted. An alloc that is to stop is live until its client has stopped it, and so is one whose
 * client cannot be reached.
 *
 * @param ids alloc ids
 * @param index number at which the list was taken, of a scheduler that numbers its statements
 *     itself ({@link IndexSource#CALLER}); empty otherwise
 * @param takenAt when the list was begun, where that was before it was asked for: claims that were
 *     made then or later are left alone, provided that the clocks agree; empty otherwise
 * @param among ids of the only allocs that are judged, where the list is not complete for all of
 *     the scheduler's; empty: all are
 */
public record LiveAllocs(
    Set<String> ids, OptionalLong index, Optional<Instant> takenAt, Optional<Set<String>> among) {

  /** Copies the ids. */
  public LiveAllocs {
    ids = Set.copyOf(ids);
    among = among.map(Set::copyOf);
  }

  /** The list of a scheduler whose statements the library numbers. */
  public static LiveAllocs of(Collection<String> ids) {
    return new LiveAllocs(
        Set.copyOf(ids), OptionalLong.empty(), Optional.empty(), Optional.empty());
  }

  /** The same, taken at a number of the scheduler's own. */
  public LiveAllocs at(long number) {
    return new LiveAllocs(ids, OptionalLong.of(number), takenAt, among);
  }

  /** The same, begun at this time: claims made then or later are left alone. */
  public LiveAllocs takenAt(Instant time) {
    return new LiveAllocs(ids, index, Optional.of(time), among);
  }

  /** The same, complete for these allocs only: claims of others are left alone. */
  public LiveAllocs among(Collection<String> allocs) {
    return new LiveAllocs(ids, index, takenAt, Optional.of(Set.copyOf(allocs)));
  }

  /** Whether the list tells that this claim is dead. */
  boolean lacks(SeenClaim claim) {
    return !ids.contains(claim.alloc())
        && takenAt.map(time -> claim.askedAt().isBefore(time)).orElse(true)
        && among.map(judged -> judged.contains(claim.alloc())).orElse(true);
  }
}
