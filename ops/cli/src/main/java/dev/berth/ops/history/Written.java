package dev.berth.ops.history;

import dev.berth.streams.kernel.Change;
import java.time.Instant;

/**
 * A change of a table of the claims that a topic tells of.
 *
 * @param at when it was decided or, of a row's own topic, the record's time
 * @param change the change
 */
record Written(Instant at, Change change) {

  /** What is changed, in all tables. */
  String key() {
    return change.table().name() + " " + change.key();
  }

  boolean notAfter(Instant moment) {
    return !at.isAfter(moment);
  }
}
