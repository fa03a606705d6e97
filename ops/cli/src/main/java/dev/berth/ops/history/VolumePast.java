package dev.berth.ops.history;

import dev.berth.streams.claims.Attachment;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.Volume;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that the topics still tell of the tables of one volume, and from it the tables at any time:
 * the rows that are older than what is left of the history, and the fold of the history after them.
 * Pure.
 *
 * <p>A row that was last written before the history begins, and was written again since, is known
 * from neither: compaction has taken the old record. Such rows are named.
 *
 * @param trimmed whether the history begins later than the tables
 * @param oldest time of the first decision that is left in the volume's partition; empty when none
 *     is
 * @param history changes by decision, in order
 * @param rows records of the rows' own topics, in order within each
 */
public record VolumePast(
    boolean trimmed, Optional<Instant> oldest, List<Written> history, List<Written> rows) {

  /** Keeps copies. */
  public VolumePast {
    history = List.copyOf(history);
    rows = List.copyOf(rows);
  }

  /**
   * The tables at a time.
   *
   * @param state the tables
   * @param unknown keys of rows that were there and of which nothing is left, with their tables
   */
  public record Tables(State state, List<String> unknown) {}

  /** Whether the history goes back to a time. */
  public boolean reaches(Instant moment) {
    return !trimmed || oldest.map(first -> !moment.isBefore(first)).orElse(true);
  }

  /** The tables at a time that it {@link #reaches}. */
  public Tables at(Instant moment) {
    Map<String, Change> latest = new LinkedHashMap<>();
    rows.stream()
        .filter(row -> trimmed && isBefore(row, moment))
        .forEach(row -> latest.put(row.key(), row.change()));
    Map<String, Change> next = new HashMap<>();
    for (Written written : history) {
      if (written.notAfter(moment)) {
        latest.put(written.key(), written.change());
      } else {
        next.putIfAbsent(written.key(), written.change());
      }
    }
    MapState state = new MapState();
    state.applyAll(latest.values());
    Set<String> missing = new HashSet<>(next.keySet());
    missing.removeAll(latest.keySet());
    List<String> unknown = new ArrayList<>();
    missing.stream()
        .filter(key -> wasThere(Optional.ofNullable(next.get(key)), moment))
        .sorted()
        .forEach(unknown::add);
    return new Tables(state, unknown);
  }

  /** What is younger than the first decision is in the history, with the time of its decision. */
  private boolean isBefore(Written row, Instant moment) {
    return oldest.map(first -> row.at().isBefore(first)).orElse(row.notAfter(moment));
  }

  /** What a row's first change after a moment tells of the time before. */
  private static boolean wasThere(Optional<Change> next, Instant moment) {
    return next.map(
            change -> change instanceof Change.Put<?> put ? began(put.value(), moment) : true)
        .orElse(false);
  }

  private static boolean began(Object row, Instant moment) {
    if (row instanceof Claim claim) {
      return !claim.ask().at().isAfter(moment);
    } else if (row instanceof Volume volume) {
      return !volume.registeredAt().isAfter(moment);
    } else if (row instanceof Attachment attachment) {
      return !attachment.since().isAfter(moment);
    }
    return false;
  }
}
