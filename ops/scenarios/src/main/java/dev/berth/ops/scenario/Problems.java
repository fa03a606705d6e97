package dev.berth.ops.scenario;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What is wrong in one file: all of it, so that nobody has to find one error a run. */
final class Problems {
  /** A repeated step would say the same of every round. */
  private static final int MOST = 50;

  private final Set<Problem> found = new LinkedHashSet<>();

  void add(Value.Place place, String text) {
    if (found.size() < MOST) {
      found.add(new Problem(place.file(), place.line(), text));
    }
  }

  void addAll(Problems others) {
    others.found.forEach(it -> add(new Value.Place(it.file(), it.line()), it.text()));
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /**
   * Refuses the file when anything is wrong.
   *
   * @throws ScenarioException with everything that is
   */
  void refuse() {
    if (!found.isEmpty()) {
      throw new ScenarioException(List.copyOf(found));
    }
  }
}
