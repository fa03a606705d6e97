package dev.berth.streams.claims;

import org.jspecify.annotations.Nullable;

/**
 * A command about one volume.
 *
 * @param origin its id, author and reason
 * @param body what is asked
 */
public record VolumeCommand(Volume.Origin origin, Body body) {
  /** What is asked. */
  public sealed interface Body {
    /** Name of the command, as in its record. */
    default String name() {
      return getClass().getSimpleName();
    }
  }

  /**
   * Registers the volume or replaces its registration.
   *
   * @param spec the volume
   */
  public record RegisterVolume(VolumeSpec spec) implements Body {}

  /**
   * Deregisters it.
   *
   * @param force also while dead claims are being released
   */
  public record DeregisterVolume(boolean force) implements Body {}

  /**
   * Ends its claims on a node and detaches it.
   *
   * @param node node (scheduler's id)
   */
  public record DetachVolume(String node) implements Body {}

  /**
   * Tries what is held or stuck at once with a new budget.
   *
   * @param alloc only this alloc's claim; null: all
   */
  public record RetryVolume(@Nullable String alloc) implements Body {}

  /**
   * The operator vouches that it is detached from a node.
   *
   * @param node node (scheduler's id)
   */
  public record AssumeDetached(String node) implements Body {}

  /** Treats its claims on lost nodes as unmounted. */
  public record UnblockVolume() implements Body {}
}
