package dev.berth.ops.record;

import java.time.Instant;
import java.util.List;

/**
 * A scenario as it was recorded.
 *
 * @param text the file, YAML
 * @param begin when the first thing in it happened
 * @param end the time up to which it goes
 * @param complete whether it begins at a moment at which the volumes had no claim; otherwise it
 *     cannot end as it did in reality
 * @param notes what the file cannot say or what was no longer kept, for people; also at its head
 */
public record Recording(
    String text, Instant begin, Instant end, boolean complete, List<String> notes) {

  /** Copies its collections. */
  public Recording {
    notes = List.copyOf(notes);
  }
}
