package dev.berth.ops.explore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at everything that can happen in a small world, breadth first: from every state every step,
 * each state once. Looks at the rules in every state, and whether it can be healed. The first thing
 * found wrong ends the search, and its path is a shortest one.
 *
 * <p>Several threads share the work. What is found does not depend on how many: they try steps from
 * a few states at a time, and what they find is put together in the order of those states.
 */
public final class Explorer {
  private static final String UNHEALED = "the empty table cannot be reached: ";

  /** States whose steps are tried before what was found is put together (count). */
  private static final int BATCH = 256;

  private final SmallWorld world;
  private final Scope scope;
  private final Deciders judged;
  private final LongSupplier nanoTime;
  private final long began;
  private final Watcher watcher;
  private final Canonical canonical;
  private final SceneNumbers numbers;
  private final List<Searcher> searchers = new ArrayList<>();

  private final Fingerprints seen = new Fingerprints();
  private final Frontier frontier;
  private final Paths paths = new Paths();
  private long transitions;
  private long expanded;
  private long healed;
  private int depth;
  private boolean cut;
  private Exploration.@Nullable Violation violation;

  /**
   * How far to search.
   *
   * @param volumes {@code both}, {@code single} or {@code multi}: volumes of the world
   * @param time longest time
   * @param states most states (count)
   * @param seed order in which steps are tried, which matters where the bound cuts; 0: as they come
   * @param healEvery of how many new states one is healed (count); 0: none
   * @param threads threads that search (count)
   */
  public record Scope(
      String volumes, Duration time, long states, long seed, int healEvery, int threads) {}

  /** Who is told how the search goes, on the thread that searches. */
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
    began = nanoTime.getAsLong();
    this.watcher = watcher;
    world = new SmallWorld(!scope.volumes().equals("multi"), !scope.volumes().equals("single"));
    judged = deciders;
    canonical = new Canonical(world.setup(), new Interning<>());
    numbers = new SceneNumbers(world.setup().volumes().size());
    frontier = new Frontier(numbers.width());
    Cures cures = new Cures(world.healing(), canonical, numbers);
    Deciders remembering = new RememberingDeciders(deciders);
    Rules.Verdicts verdicts = new Rules.Verdicts();
    for (int i = 0; i < scope.threads(); i++) {
      Sim sim = Sim.blank(world.setup(), remembering, verdicts);
      searchers.add(new Searcher(sim, world.alphabet(), canonical, numbers, cures));
    }
  }

  /**
   * Searches.
   *
   * @param nanoTime as {@link System#nanoTime}
   * @param watcher told every few states
   */
  public static Exploration explore(Scope scope, LongSupplier nanoTime, Watcher watcher) {
    return explore(scope, Deciders.real(), nanoTime, watcher);
  }

  static Exploration explore(
      Scope scope, Deciders deciders, LongSupplier nanoTime, Watcher watcher) {
    return new Explorer(scope, deciders, nanoTime, watcher).explore();
  }

  private Exploration explore() {
    try (Crew crew = new Crew(searchers)) {
      begin(crew);
      int level = seen.size();
      while (violation == null && !frontier.isEmpty() && inTime() && seen.size() < scope.states()) {
        if (expanded == level) {
          depth++;
          level = seen.size();
        }
        search(crew, (int) Math.min(BATCH, level - expanded));
        tell();
      }
    }
    return new Exploration(
        world.inWords(),
        Words.alphabet(world.alphabet()),
        Words.bound(world.alphabet()),
        seen.size(),
        transitions,
        depth,
        expanded,
        healed,
        violation == null && frontier.isEmpty() && !cut,
        Duration.ofNanos(nanoTime.getAsLong() - began),
        violation);
  }

  private boolean inTime() {
    return nanoTime.getAsLong() - began < scope.time().toNanos();
  }

  private void tell() {
    watcher.at(seen.size(), frontier.size(), depth);
  }

  /** The first states take as long as thousands do later: news does not wait for a whole batch. */
  private void tellOnOwnThread(Searcher searcher) {
    if (searcher.equals(searchers.get(0))) {
      tell();
    }
  }

  private void begin(Crew crew) {
    int[] first = numbers.of(canonical.of(Sim.begin(world.setup(), judged, true).scene()));
    seen.add(first);
    frontier.add(first);
    paths.begin();
    heal(crew, List.of(first));
  }

  /** Tries every step from the next states. */
  private void search(Crew crew, int count) {
    int[][] states = new int[count][];
    for (int i = 0; i < count; i++) {
      states[i] = frontier.take();
    }
    Searcher.Successors[] found = new Searcher.Successors[count];
    int tried =
        crew.each(
            count,
            this::inTime,
            (searcher, i) -> {
              found[i] = searcher.successors(states[i], seen, order(expanded + i));
              tellOnOwnThread(searcher);
            });
    cut |= tried < count;
    List<int[]> fresh = new ArrayList<>();
    for (int i = 0; i < tried && violation == null; i++) {
      if (seen.size() >= scope.states()) {
        cut = true;
        break;
      }
      note(found[i], fresh);
    }
    if (violation == null) {
      heal(crew, fresh);
    }
  }

  /** The order in which steps are tried from a state; another for each. */
  private long order(long state) {
    return scope.seed() == 0 ? 0 : scope.seed() * 0x9E3779B97F4A7C15L + state;
  }

  private void note(Searcher.Successors found, List<int[]> fresh) {
    int from = (int) expanded;
    for (Searcher.Reached reached : found.next()) {
      if (seen.add(reached.state())) {
        paths.add(from, reached.step());
        frontier.add(reached.state());
        fresh.add(reached.state());
      }
    }
    transitions += found.tried();
    expanded++;
    Searcher.Fault fault = found.fault();
    if (fault != null) {
      List<Step> path = paths.to(from);
      path.add(fault.step());
      violation = violation(path, fault.what(), null);
    }
  }

  /** Heals some of the states that were reached last. */
  private void heal(Crew crew, List<int[]> fresh) {
    int first = seen.size() - fresh.size();
    List<List<String>> left = new ArrayList<>(Collections.nCopies(fresh.size(), List.of()));
    int tried =
        crew.each(
            fresh.size(),
            this::inTime,
            (searcher, i) -> {
              if (heals(first + i)) {
                left.set(i, searcher.left(fresh.get(i)));
                tellOnOwnThread(searcher);
              }
            });
    cut |= tried < fresh.size();
    for (int i = 0; i < tried && violation == null; i++) {
      if (!left.get(i).isEmpty()) {
        violation = violation(paths.to(first + i), UNHEALED + left.get(i), world.healing());
      } else if (heals(first + i)) {
        healed++;
      }
    }
  }

  private boolean heals(int state) {
    return scope.healEvery() > 0 && state % scope.healEvery() == 0;
  }

  private Exploration.Violation violation(List<Step> path, String what, @Nullable Healing healing) {
    ScenarioFile file = ScenarioFile.of(world.setup(), judged, true, path, what, healing);
    return new Exploration.Violation(
        what, path.stream().map(Words::of).toList(), file.text(), file.expressible());
  }
}
