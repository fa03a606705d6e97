package dev.berth.streams.lanes;

import dev.berth.records.PluginRole;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.command.Command;
import dev.berth.streams.work.LaneRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the lanes are told. */
public sealed interface LanesEvent {

  /**
   * The claims of a volume ask for something.
   *
   * @param request what they ask
   */
  record Requested(LaneRequest request) implements LanesEvent {}

  /**
   * A worker has accepted an attempt: from now on its call may be open.
   *
   * @param attemptId attempt accepted
   * @param acceptanceId id of the acceptance, unique for ever
   * @param plugin plugin id
   * @param worker worker that accepted
   * @param timeAllowed time the worker gives the attempt, counted by it from before its transaction
   */
  record Accepted(
      String attemptId, String acceptanceId, String plugin, String worker, Duration timeAllowed)
      implements LanesEvent {}

  /**
   * A worker reports the end of a call.
   *
   * @param attemptId attempt
   * @param acceptanceId acceptance under which it was made
   * @param plugin plugin id
   * @param requestId lane request of the call
   * @param callIndex position in the attempt's calls, 0 is the first
   * @param end what is known
   */
  record OutcomeArrived(
      String attemptId,
      String acceptanceId,
      String plugin,
      String requestId,
      int callIndex,
      CallEnd end)
      implements LanesEvent {}

  /**
   * A node changed; the view in the state is already the new one.
   *
   * @param node node (scheduler's id)
   */
  record NodeChanged(String node) implements LanesEvent {}

  /**
   * A plugin instance changed; the view in the state is already the new one.
   *
   * @param plugin plugin id
   * @param node node it runs on
   * @param role controller or node service
   * @param better whether it became healthy or its attach capability changed, so that what failed
   *     before may now work
   */
  record InstanceChanged(String plugin, String node, PluginRole role, boolean better)
      implements LanesEvent {
    /**
     * The event for a change of view.
     *
     * @param before view before; null when there was none
     * @param after view now
     */
    public static InstanceChanged of(@Nullable InstanceView before, InstanceView after) {
      boolean better =
          after.healthy()
              && (before == null || !before.healthy() || before.attach() != after.attach());
      return new InstanceChanged(after.plugin(), after.node(), after.role(), better);
    }

    /** The event for an instance that is no more. */
    public static InstanceChanged removed(String plugin, String node, PluginRole role) {
      return new InstanceChanged(plugin, node, Objects.requireNonNull(role), false);
    }
  }

  /**
   * A plugin record appeared, changed or went; the view in the state is already the new one.
   *
   * @param plugin plugin id
   */
  record PluginChanged(String plugin) implements LanesEvent {}

  /** The policies handed to the decider are new. */
  record PoliciesChanged() implements LanesEvent {}

  /**
   * An operator asks for something; only pause and resume are for the lanes.
   *
   * @param command what is asked
   */
  record Commanded(Command command) implements LanesEvent {}

  /**
   * A page of what a plugin lists.
   *
   * @param plugin plugin id
   * @param snapshotId snapshot it belongs to
   * @param beganAt when the snapshot began (worker's clock)
   * @param page its number, from 0
   * @param content the page
   * @param complete whether it is the last one of a complete snapshot
   * @param abandoned whether the snapshot was given up
   */
  record ListingArrived(
      String plugin,
      String snapshotId,
      Instant beganAt,
      int page,
      ListedPage content,
      boolean complete,
      boolean abandoned)
      implements LanesEvent {}

  /**
   * References to secrets that led nowhere lead somewhere now.
   *
   * @param plugin plugin id whose calls missed them
   * @param references the references, as they stand in calls
   */
  record SecretsFound(String plugin, List<String> references) implements LanesEvent {
    /** Keeps a copy. */
    public SecretsFound {
      references = List.copyOf(references);
    }
  }

  /** Collect what is of no use any more, and look at every lane once. */
  record GcRequested() implements LanesEvent {}

  /** Time has passed: look at what is due. */
  record Due() implements LanesEvent {}

  /** The partition has a new owner, or the same one after a restart. */
  record OwnerChanged() implements LanesEvent {}

  /** The clock was set, so that times noted before say nothing of how long ago they were. */
  record ClockSet() implements LanesEvent {}
}
