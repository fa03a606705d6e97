package dev.berth.ops.explore;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Tries every step from single states, in a world of its own; for one thread at a time. */
final class Searcher {
  private final Sim sim;
  private final Alphabet alphabet;
  private final Canonical canonical;
  private final SceneNumbers numbers;
  private final Cures cures;

  /**
   * What can follow a state.
   *
   * @param tried steps that went well (count)
   * @param next states that were not known before, with the first step to each
   * @param fault what the last step broke; null when nothing is wrong
   */
  record Successors(int tried, List<Reached> next, @Nullable Fault fault) {}

  /** A state, and a step to it. */
  static final class Reached {
    private final Step step;
    private final int[] state;

    Reached(Step step, int[] state) {
      this.step = step;
      this.state = state;
    }

    Step step() {
      return step;
    }

    int[] state() {
      return state;
    }
  }

  /** A step, and what it breaks, in words. */
  record Fault(Step step, String what) {}

  Searcher(Sim sim, Alphabet alphabet, Canonical canonical, SceneNumbers numbers, Cures cures) {
    this.sim = sim;
    this.alphabet = alphabet;
    this.canonical = canonical;
    this.numbers = numbers;
    this.cures = cures;
  }

  /**
   * Tries every step from a state, up to the first that breaks something.
   *
   * @param seen states known already, which nobody adds to meanwhile
   * @param seed order of the steps; 0: as they come
   */
  Successors successors(int[] state, Fingerprints seen, long seed) {
    Scene scene = numbers.scene(state);
    sim.restore(scene);
    List<Step> possible = alphabet.possible(sim);
    if (seed != 0) {
      Collections.shuffle(possible, new Random(seed));
    }
    List<Reached> next = new ArrayList<>();
    int tried = 0;
    for (Step step : possible) {
      sim.restore(scene);
      String broken = broken(step);
      if (broken != null) {
        return new Successors(tried, next, new Fault(step, broken));
      }
      tried++;
      int[] found = numbers.of(canonical.of(sim.scene()));
      if (!seen.contains(found)) {
        next.add(new Reached(step, found));
      }
    }
    return new Successors(tried, next, null);
  }

  /** What a step breaks; null when nothing. */
  private @Nullable String broken(Step step) {
    try {
      sim.apply(step);
    } catch (RuntimeException thrown) {
      return "a decider threw " + thrown;
    }
    return sim.broken().isEmpty() ? null : sim.broken().get(0);
  }

  /** What healing a state leaves, in words; empty when the empty table can be reached from it. */
  List<String> left(int[] state) {
    return cures.left(sim, state);
  }
}
