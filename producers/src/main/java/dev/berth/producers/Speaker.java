package dev.berth.producers;

import dev.berth.records.FeedPosition;
import java.util.List;
import java.util.Optional;

/** Says things of allocs; a {@link Scheduler}, or what stands for one. */
@FunctionalInterface
public interface Speaker {

  /**
   * Says several things, all written in one transaction, in this order, or none.
   *
   * @param position how far a feeder has come with this; written in the same transaction, and only
   *     when everything was written that was said before with a position of that feed: after the
   *     first failure of such a statement all later ones fail
   * @throws InvalidEventException when a status or a number is not usable; nothing is written
   */
  Saying.Said say(List<? extends Saying> sayings, Optional<FeedPosition> position);
}
