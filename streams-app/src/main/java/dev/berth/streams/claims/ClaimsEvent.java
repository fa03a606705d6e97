package dev.berth.streams.claims;

import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.streams.command.Command;
import dev.berth.streams.work.Settlement;
import org.jspecify.annotations.Nullable;

/** What the claims of one volume are decided from. */
public sealed interface ClaimsEvent {
  /** Volume it concerns. */
  VolumeKey key();

  /**
   * A scheduler's statement about an alloc and the volume.
   *
   * @param key volume
   * @param scheduler scheduler that says it
   * @param index its number among the statements about the alloc
   * @param alloc alloc id
   * @param body what is said
   */
  record Stated(VolumeKey key, String scheduler, long index, String alloc, Statement body)
      implements ClaimsEvent {}

  /**
   * The lanes answered.
   *
   * @param key volume
   * @param settlement the answer
   */
  record Settled(VolumeKey key, Settlement settlement) implements ClaimsEvent {}

  /**
   * An operator or scheduler commands.
   *
   * @param key volume
   * @param command the command
   */
  record Commanded(VolumeKey key, Command command) implements ClaimsEvent {}

  /**
   * Something changed, or time passed, that may let the volume's claims go on.
   *
   * @param key volume
   * @param why node-changed, due, policies, {@link #START_UP} or {@link #COLLECTION}
   * @param ignoreThresholds whether a collection was asked for that does not wait for the client
   */
  record Look(VolumeKey key, String why, boolean ignoreThresholds) implements ClaimsEvent {
    /** Why of a periodic or requested collection, which also forgets what is old. */
    public static final String COLLECTION = "gc";

    /** Why of the look at every volume after a start or a change of owner. */
    public static final String START_UP = "start-up";

    /** Whether it looks for what no event will come for. */
    boolean sweeps() {
      return why.equals(COLLECTION) || why.equals(START_UP);
    }
  }

  /** What a scheduler says of an alloc. */
  sealed interface Statement {}

  /**
   * The alloc asks for the volume.
   *
   * @param ask what it asks for
   */
  record Asked(ClaimAsk ask) implements Statement {}

  /**
   * Its status changed.
   *
   * @param client what the client reports
   * @param desired what the scheduler wants
   */
  record StatusChanged(ClientStatus client, DesiredStatus desired) implements Statement {}

  /**
   * The scheduler no longer knows it.
   *
   * @param claimGeneration claim that the scheduler saw; null: any
   */
  record Gone(@Nullable Long claimGeneration) implements Statement {}

  /**
   * The client unmounted.
   *
   * @param claimGeneration claim it speaks of; null: the present one
   */
  record Unmounted(@Nullable Long claimGeneration) implements Statement {}

  /**
   * The client failed to unmount.
   *
   * @param claimGeneration claim it speaks of; null: the present one
   * @param error the client's words
   */
  record UnmountFailed(@Nullable Long claimGeneration, String error) implements Statement {}
}
