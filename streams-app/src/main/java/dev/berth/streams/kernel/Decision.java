package dev.berth.streams.kernel;

import java.util.List;

/**
 * What a decider made of an event: nothing is written and nothing goes out before it is complete.
 *
 * @param changes writes to the state, in order; at most one for each key
 * @param effects what goes out, in order
 * @param <E> type of the effects
 */
public record Decision<E>(List<Change> changes, List<E> effects) {
  /** Keeps copies, so that a decision cannot change after it was made. */
  public Decision {
    changes = List.copyOf(changes);
    effects = List.copyOf(effects);
  }
}
