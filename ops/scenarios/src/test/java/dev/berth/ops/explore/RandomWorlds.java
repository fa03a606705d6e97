package dev.berth.ops.explore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Random walks, how they end, and what is left of one that shows something wrong. */
final class RandomWorlds {
  private static final Healing HEALING = new Healing(Duration.ofMinutes(1), 300);

  private RandomWorlds() {}

  /**
   * A walk in which something went wrong.
   *
   * @param what what
   * @param steps the fewest steps that show it
   * @param scenario the same as a scenario file, as far as that can say it
   */
  record Found(String what, List<Step> steps, String scenario) {}

  /** Walks; empty when all is well, to the end. */
  static List<Found> walk(long seed, int steps, Deciders deciders) {
    RandomWalk walk = new RandomWalk(seed);
    Setup setup = walk.setup();
    List<Step> taken = new ArrayList<>();
    Sim sim = Sim.begin(setup, deciders, false);
    for (int i = 0; i < steps && sim.broken().isEmpty(); i++) {
      Step step = walk.next(sim);
      if (sim.apply(step)) {
        taken.add(step);
      }
    }
    if (sim.broken().isEmpty() && HEALING.heal(sim).isEmpty() && sim.broken().isEmpty()) {
      return List.of();
    }
    List<Step> fewest = Shrinking.shrink(taken, some -> !wrong(setup, some, deciders).isEmpty());
    String what = wrong(setup, fewest, deciders).get(0);
    String scenario = ScenarioFile.of(setup, deciders, false, fewest, what, HEALING).text();
    return List.of(new Found(what, fewest, scenario));
  }

  /** What goes wrong in these steps or after them; empty when nothing does. */
  private static List<String> wrong(Setup setup, List<Step> steps, Deciders deciders) {
    Sim sim = Sim.begin(setup, deciders, false);
    for (Step step : steps) {
      sim.apply(step);
      if (!sim.broken().isEmpty()) {
        return List.copyOf(sim.broken());
      }
    }
    List<String> left = HEALING.heal(sim);
    return sim.broken().isEmpty() ? left : List.copyOf(sim.broken());
  }
}
