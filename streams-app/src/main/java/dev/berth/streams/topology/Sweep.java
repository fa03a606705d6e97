package dev.berth.streams.topology;

import dev.berth.streams.claims.ClaimsEvent;

/**
 * A look at every volume that is in progress.
 *
 * @param from key from which on volumes are still to be looked at
 * @param reason why
 * @param ignoresThresholds whether an operator asked for a collection that does not wait
 */
record Sweep(String from, String reason, boolean ignoresThresholds) {

  /** A sweep from the first volume on. */
  static Sweep begin(String reason, boolean ignoresThresholds) {
    return new Sweep("", reason, ignoresThresholds);
  }

  /**
   * Begins anew for another reason. What an earlier one looks for that is not through, and what an
   * operator asked for, is not taken back by it: the policies that arrive after a start would
   * otherwise make a plain look of the look that repairs.
   */
  Sweep again(String otherReason, boolean alsoIgnoresThresholds) {
    String wider = rank(otherReason) > rank(reason) ? otherReason : reason;
    return begin(wider, ignoresThresholds || alsoIgnoresThresholds);
  }

  Sweep onFrom(String key) {
    return new Sweep(key, reason, ignoresThresholds);
  }

  /** A collection does all that a look after a start does, and that all that a plain one does. */
  private static int rank(String reason) {
    return switch (reason) {
      case ClaimsEvent.Look.COLLECTION -> 2;
      case ClaimsEvent.Look.START_UP -> 1;
      default -> 0;
    };
  }
}
