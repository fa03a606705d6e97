package dev.berth.producers;

import java.util.Collection;
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
 */
public record LiveAllocs(Set<String> ids, OptionalLong index) {

  /** Copies the ids. */
  public LiveAllocs {
    ids = Set.copyOf(ids);
  }

  /** The list of a scheduler whose statements the library numbers. */
  public static LiveAllocs of(Collection<String> ids) {
    return new LiveAllocs(Set.copyOf(ids), OptionalLong.empty());
  }

  /** The same, taken at a number of the scheduler's own. */
  public LiveAllocs at(long number) {
    return new LiveAllocs(ids, OptionalLong.of(number));
  }
}
