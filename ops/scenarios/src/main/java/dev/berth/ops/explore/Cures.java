package dev.berth.ops.explore;

import java.util.ArrayList;
import java.util.List;

/**
 * Shows for states that the empty table can be reached from them, and keeps the states on the way:
 * healing always takes the same steps, so whatever leads into one of them is shown as well.
 */
final class Cures {
  private static final int MOST_ROUNDS = 60;

  private final Sim sim;
  private final Healing healing;
  private final Canonical canonical;
  private final SceneNumbers numbers;
  private final Fingerprints shown = new Fingerprints();

  Cures(Sim sim, Healing healing, Canonical canonical, SceneNumbers numbers) {
    this.sim = sim;
    this.healing = healing;
    this.canonical = canonical;
    this.numbers = numbers;
  }

  /** What healing leaves, in words; empty when the table becomes empty. */
  List<String> left(int[] state) {
    sim.restore(numbers.scene(state));
    healing.lift(sim);
    List<int[]> way = new ArrayList<>();
    for (int round = 0; round < MOST_ROUNDS && sim.broken().isEmpty(); round++) {
      Scene scene = canonical.of(sim.scene());
      int[] found = numbers.of(scene);
      if (shown.contains(found)) {
        way.forEach(shown::add);
        return List.of();
      }
      way.add(found);
      sim.restore(scene);
      if (healing.round(sim)) {
        way.forEach(shown::add);
        return sim.broken();
      }
    }
    return sim.broken().isEmpty() ? Healing.left(sim) : List.copyOf(sim.broken());
  }
}
