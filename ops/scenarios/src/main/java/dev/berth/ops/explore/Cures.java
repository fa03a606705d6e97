package dev.berth.ops.explore;

import java.util.ArrayList;
import java.util.List;

/**
 * Shows for states that the empty table can be reached from them, and keeps the states on the way:
 * healing always takes the same steps, so whatever leads into one of them is shown as well.
 *
 * <p>For several threads, each with a world of its own.
 */
final class Cures {
  private static final int MOST_ROUNDS = 60;

  private final Healing healing;
  private final Canonical canonical;
  private final SceneNumbers numbers;
  private final Fingerprints shown = new Fingerprints();

  Cures(Healing healing, Canonical canonical, SceneNumbers numbers) {
    this.healing = healing;
    this.canonical = canonical;
    this.numbers = numbers;
  }

  /**
   * Heals a state.
   *
   * @param sim a world to heal it in
   * @return what is left, in words; empty when the table becomes empty
   */
  List<String> left(Sim sim, int[] state) {
    sim.restore(numbers.scene(state));
    healing.lift(sim);
    List<int[]> way = new ArrayList<>();
    for (int round = 0; round < MOST_ROUNDS && sim.broken().isEmpty(); round++) {
      Scene scene = canonical.of(sim.scene());
      int[] found = numbers.of(scene);
      if (isShown(found)) {
        show(way);
        return List.of();
      }
      way.add(found);
      sim.restore(scene);
      if (healing.round(sim)) {
        if (sim.broken().isEmpty()) {
          show(way);
        }
        return List.copyOf(sim.broken());
      }
    }
    return sim.broken().isEmpty() ? Healing.left(sim) : List.copyOf(sim.broken());
  }

  private boolean isShown(int[] state) {
    synchronized (shown) {
      return shown.contains(state);
    }
  }

  private void show(List<int[]> way) {
    synchronized (shown) {
      way.forEach(shown::add);
    }
  }
}
