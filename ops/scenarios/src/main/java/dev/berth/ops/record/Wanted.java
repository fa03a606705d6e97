package dev.berth.ops.record;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is to be recorded.
 *
 * @param id id of the scenario
 * @param volumes the volumes, as namespace/id; at least one
 * @param from the recording covers what happened from here on; null: from the first that is kept
 * @param to until when; null: until the last that is kept
 * @param quiet how long nothing may have come for the system to count as settled. The parts of a
 *     running system need time for what a scenario does at once, so a file may only expect what was
 *     there after such a time
 * @param sources where the records come from, for the head of the file
 */
public record Wanted(
    String id,
    Set<String> volumes,
    @Nullable Instant from,
    @Nullable Instant to,
    Duration quiet,
    List<String> sources) {

  /** Copies its collections. */
  public Wanted {
    volumes = Set.copyOf(volumes);
    sources = List.copyOf(sources);
    if (volumes.isEmpty()) {
      throw new IllegalArgumentException("no volume is named: give at least one");
    }
  }

  /** The volumes in the order of their names. */
  Collection<String> sorted() {
    return new TreeSet<>(volumes);
  }
}
