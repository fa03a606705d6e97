package dev.berth.streams.lanes;

import dev.berth.streams.command.Answer;
import dev.berth.streams.work.Drift;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;

/** What the lanes tell others. */
public sealed interface LanesEffect {

  /**
   * An attempt goes to the workers: controller work by plugin, node work by node.
   *
   * @param work the attempt
   */
  record Dispatch(Work work) implements LanesEffect {}

  /**
   * A request is answered.
   *
   * @param settlement the answer
   */
  record Settle(Settlement settlement) implements LanesEffect {}

  /**
   * An operator's command is answered.
   *
   * @param answer the answer
   */
  record Answered(Answer answer) implements LanesEffect {}

  /**
   * Backlog or open attempts of a plugin changed; {@link LaneStatus#of} has them.
   *
   * @param plugin plugin id
   */
  record StatusChanged(String plugin) implements LanesEffect {}

  /**
   * The attach slots of a plugin on a node changed.
   *
   * @param slots as they are now
   */
  record SlotsChanged(NodeSlots slots) implements LanesEffect {}

  /**
   * Listings tell something that operators should know.
   *
   * @param drift what
   */
  record Drifted(Drift drift) implements LanesEffect {}

  /**
   * A worker's report was not believed.
   *
   * @param cause why
   * @param plugin plugin id it named
   * @param attemptId attempt it named
   * @param acceptanceId acceptance it named
   */
  record Dropped(Cause cause, String plugin, String attemptId, String acceptanceId)
      implements LanesEffect {
    /** Why a report was not believed. */
    public enum Cause {
      /** An acceptance of an attempt that is closed, or never was. */
      ACCEPTANCE_OF_NO_OPEN_ATTEMPT,
      /** An outcome of an attempt that is closed, or never was. */
      OUTCOME_OF_NO_OPEN_ATTEMPT,
      /** An outcome under an acceptance that is not that of the open attempt. */
      OUTCOME_OF_OTHER_ACCEPTANCE,
      /** A second outcome of one acceptance. */
      OUTCOME_REPEATED,
      /** An outcome that names a call which the attempt does not carry. */
      OUTCOME_OF_OTHER_CALL
    }
  }
}
