package dev.berth.bench.report;

import dev.berth.bench.measure.Measure;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one bench found.
 *
 * @param bench name of the bench
 * @param about what it measured and how, in a few sentences
 * @param settings what it was run with, in this order
 * @param measures what it measured
 * @param goals what was asked for
 * @param plots its pictures
 * @param notes what a reader must know besides
 * @param took how long it ran
 */
public record Section(
    String bench,
    String about,
    Map<String, String> settings,
    List<Measure> measures,
    List<Goal> goals,
    List<Plot> plots,
    List<String> notes,
    Duration took) {
  /** Keeps copies. */
  public Section {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    measures = List.copyOf(measures);
    goals = List.copyOf(goals);
    plots = List.copyOf(plots);
    notes = List.copyOf(notes);
  }
}
