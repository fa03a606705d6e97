package dev.berth.bench.report;

import dev.berth.bench.machine.Environment;
import java.util.List;

/**
 * What a run found.
 *
 * @param environment where and on what
 * @param quick whether it was a short run, whose figures only show that the benches work
 * @param sections what each bench found
 */
public record Report(Environment environment, boolean quick, List<Section> sections) {
  /** Keeps a copy. */
  public Report {
    sections = List.copyOf(sections);
  }

  /** Whether every goal was reached. */
  public boolean goalsMet() {
    return sections.stream().flatMap(section -> section.goals().stream()).allMatch(Goal::met);
  }
}
