package dev.berth.ops.explore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at everything that can happen in a small world, breadth first: from every state every step,
 * each state once. Looks at the rules in every state, and whether it can be healed. The first thing
 * found wrong ends the search, and its path is a shortest one.
 *
 * <p>For one thread.
 */
public final class Explorer {
  private static final String UNHEALED = "the empty table cannot be reached: ";

  private final SmallWorld world;
  private final Scope scope;
  private final Sim sim;
  private final Alphabet alphabet;
  private final Interning<Rows.Row> rows = new Interning<>();
  private final Canonical canonical;
  private final SceneNumbers numbers;
  private final Cures cures;
  private final Deciders judged;
  private final LongSupplier nanoTime;
  private final Watcher watcher;
  private final Random random;

  private final Fingerprints seen = new Fingerprints();
  private final Frontier frontier;
  private final Interning<Step> steps = new Interning<>();
  private final IntList parents = new IntList();
  private final IntList lastSteps = new IntList();
  private long transitions;
  private long expanded;
  private long healed;
  private int depth;

  /**
   * How far to search.
   *
   * @param volumes {@code both}, {@code single} or {@code multi}: volumes of the world
   * @param time longest time
   * @param states most states (count)
   * @param seed order in which steps are tried, which matters where the bound cuts; 0: as they come
   * @param healEvery of how many new states one is healed (count); 0: none
   */
  public record Scope(String volumes, Duration time, long states, long seed, int healEvery) {}

  /** Who is told how the search goes. */
  public interface Watcher {
    /**
     * Some more was looked at.
     *
     * @param states states reached so far (count)
     * @param waiting states of which steps have not been tried (count)
     * @param depth steps from the beginning (count)
     */
    void at(long states, long waiting, int depth);
  }

  private Explorer(Scope scope, Deciders deciders, LongSupplier nanoTime, Watcher watcher) {
    this.scope = scope;
    this.nanoTime = nanoTime;
    this.watcher = watcher;
    world = new SmallWorld(!scope.volumes().equals("multi"), !scope.volumes().equals("single"));
    judged = deciders;
    alphabet = world.alphabet();
    sim = Sim.blank(world.setup(), new RememberingDeciders(deciders));
    canonical = new Canonical(world.setup(), rows);
    numbers = new SceneNumbers(world.setup().volumes().size());
    frontier = new Frontier(numbers.width());
    cures = new Cures(sim, world.healing(), canonical, numbers);
    random = new Random(scope.seed());
  }

  /**
   * Searches.
   *
   * @param nanoTime as {@link System#nanoTime}
   * @param watcher told every few thousand states
   */
  public static Exploration explore(Scope scope, LongSupplier nanoTime, Watcher watcher) {
    return explore(scope, Deciders.real(), nanoTime, watcher);
  }

  static Exploration explore(
      Scope scope, Deciders deciders, LongSupplier nanoTime, Watcher watcher) {
    return new Explorer(scope, deciders, nanoTime, watcher).explore();
  }

  private Exploration explore() {
    long began = nanoTime.getAsLong();
    Sim first = Sim.begin(world.setup(), judged, true);
    reached(canonical.of(first.scene()), -1, -1);
    Exploration.Violation violation = null;
    int level = seen.size();
    while (violation == null && !frontier.isEmpty() && withinScope(began)) {
      if (expanded == level) {
        depth++;
        level = seen.size();
      }
      violation = expand((int) expanded);
      expanded++;
      if (expanded % 2048 == 0) {
        watcher.at(seen.size(), frontier.size(), depth);
      }
    }
    return new Exploration(
        "volumes "
            + world.setup().volumes().stream().map(volume -> volume.volume()).toList()
            + ", nodes "
            + world.setup().nodes()
            + ", two allocs for each volume, one plugin with one controller",
        Words.alphabet(alphabet),
        Words.bound(alphabet),
        seen.size(),
        transitions,
        depth,
        expanded,
        healed,
        violation == null && frontier.isEmpty(),
        Duration.ofNanos(nanoTime.getAsLong() - began),
        violation);
  }

  private boolean withinScope(long began) {
    boolean inTime = expanded % 64 != 0 || nanoTime.getAsLong() - began < scope.time().toNanos();
    return inTime && seen.size() < scope.states();
  }

  private Exploration.@Nullable Violation expand(int state) {
    Scene scene = numbers.scene(frontier.take());
    sim.restore(scene);
    List<Step> possible = alphabet.possible(sim);
    if (scope.seed() != 0) {
      Collections.shuffle(possible, random);
    }
    for (Step step : possible) {
      sim.restore(scene);
      String fault = tried(step);
      if (fault != null) {
        return violation(state, step, fault);
      }
      transitions++;
      int[] next = reached(canonical.of(sim.scene()), state, steps.number(step));
      if (next != null && heals()) {
        List<String> left = cures.left(next);
        if (!left.isEmpty()) {
          return violation(state, step, UNHEALED + left);
        }
        healed++;
      }
    }
    return null;
  }

  private boolean heals() {
    return scope.healEvery() > 0 && seen.size() % scope.healEvery() == 0;
  }

  /** What a step breaks; null when nothing. */
  private @Nullable String tried(Step step) {
    try {
      sim.apply(step);
    } catch (RuntimeException thrown) {
      return "a decider threw " + thrown;
    }
    return sim.broken().isEmpty() ? null : sim.broken().get(0);
  }

  /** Notes a state; null when it was reached before. */
  private int @Nullable [] reached(Scene scene, int parent, int step) {
    int[] found = numbers.of(scene);
    if (!seen.add(found)) {
      return null;
    }
    parents.add(parent);
    lastSteps.add(step);
    frontier.add(found);
    return found;
  }

  private Exploration.Violation violation(int state, Step last, String what) {
    List<Step> path = new ArrayList<>();
    for (int at = state; at > 0; at = parents.get(at)) {
      path.add(steps.thing(lastSteps.get(at)));
    }
    Collections.reverse(path);
    path.add(last);
    Healing healing = what.startsWith(UNHEALED) ? world.healing() : null;
    ScenarioFile file = ScenarioFile.of(world.setup(), judged, true, path, what, healing);
    return new Exploration.Violation(
        what, path.stream().map(Words::of).toList(), file.text(), file.expressible());
  }

  /** States of which steps have not been tried, first in first out, in one array. */
  private static final class Frontier {
    private final int width;
    private int[] ring = new int[1 << 16];
    private long head;
    private long tail;

    Frontier(int width) {
      this.width = width;
    }

    boolean isEmpty() {
      return head == tail;
    }

    long size() {
      return (tail - head) / width;
    }

    void add(int[] numbers) {
      if (tail - head + width > ring.length) {
        grow();
      }
      for (int number : numbers) {
        ring[(int) (tail++ & (ring.length - 1))] = number;
      }
    }

    int[] take() {
      int[] numbers = new int[width];
      for (int i = 0; i < width; i++) {
        numbers[i] = ring[(int) (head++ & (ring.length - 1))];
      }
      return numbers;
    }

    private void grow() {
      int[] larger = new int[ring.length * 2];
      for (long i = head; i < tail; i++) {
        larger[(int) (i & (larger.length - 1))] = ring[(int) (i & (ring.length - 1))];
      }
      ring = larger;
    }
  }

  /** A list of numbers that only grows. */
  private static final class IntList {
    private int[] numbers = new int[1 << 12];
    private int size;

    void add(int number) {
      if (size == numbers.length) {
        numbers = Arrays.copyOf(numbers, size * 2);
      }
      numbers[size++] = number;
    }

    int get(int at) {
      return numbers[at];
    }
  }
}
