package dev.berth.streams.lanes;

import org.jspecify.annotations.Nullable;

/**
 * A lane that holds an attempt, or has a turn to remember.
 *
 * @param attemptId open attempt; null when none is open
 * @param turn whose turn it was last; null when nobody's
 */
public record Lane(@Nullable String attemptId, @Nullable Turn turn) {

  /** A lane in which nothing happens. */
  static final Lane IDLE = new Lane(null, null);

  /**
   * Calls of one kind in a row.
   *
   * @param kind kind
   * @param used calls (count)
   */
  public record Turn(LaneKind kind, int used) {}

  boolean open() {
    return attemptId != null;
  }

  Lane closed() {
    return new Lane(null, turn);
  }

  /** The lane with an attempt of a kind out. */
  Lane opened(String attempt, LaneKind kind) {
    return new Lane(attempt, turn).took(kind);
  }

  /** The lane with a turn taken by one more call of a kind. */
  Lane took(LaneKind kind) {
    int used = turn != null && turn.kind() == kind ? Math.min(turn.used(), 1_000_000) : 0;
    return new Lane(attemptId, new Turn(kind, used + 1));
  }

  /** The lane with the next attempt of the same turn out. */
  Lane reopened(String attempt) {
    return new Lane(attempt, turn);
  }
}
