package dev.berth.ops.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.scenario.Scenario;
import dev.berth.ops.scenario.ScenarioRunner;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ExplorerTest {

  @Test
  void findsNothingWrongInTheFirstStates() {
    Exploration found = explore("both", 1_500, Deciders.real());

    assertThat(found.violation()).isNull();
    assertThat(found.complete()).isFalse();
    assertThat(found.states()).isBetween(1_500L, 1_600L);
    assertThat(found.healed()).isEqualTo(found.states());
    assertThat(found.transitions()).isGreaterThan(found.states());
  }

  @Test
  void sameScopeGivesTheSameStates() {
    Exploration once = explore("single", 500, Deciders.real());

    assertThat(explore("single", 500, Deciders.real()))
        .usingRecursiveComparison()
        .ignoringFields("took")
        .isEqualTo(once);
  }

  @Test
  void whatIsFoundDoesNotDependOnTheNumberOfThreads() {
    assertThat(explore("both", 700, Deciders.real(), 1))
        .usingRecursiveComparison()
        .ignoringFields("took")
        .isEqualTo(explore("both", 700, Deciders.real(), 3));
  }

  @Test
  void endsInTimeAndTellsHowItGoesAlsoWithinABatch() {
    AtomicLong now = new AtomicLong();
    AtomicInteger told = new AtomicInteger();

    // A second goes by each time somebody looks at the clock.
    Exploration found =
        Explorer.explore(
            new Explorer.Scope("both", Duration.ofSeconds(40), 100_000, 0, 1, 1),
            Deciders.real(),
            () -> now.addAndGet(Duration.ofSeconds(1).toNanos()),
            (reached, waiting, depth) -> told.incrementAndGet());

    assertThat(found.took()).isBetween(Duration.ofSeconds(40), Duration.ofSeconds(45));
    assertThat(found.complete()).isFalse();
    assertThat(found.expanded() + found.healed()).isBetween(20L, 40L);
    assertThat(told.get()).isGreaterThanOrEqualTo((int) (found.expanded() + found.healed()) - 1);
  }

  @Test
  void findsThatADetachIsNeverAskedForByAShortestPath() {
    Exploration.Violation violation =
        Objects.requireNonNull(explore("single", 5_000, PlantedBugs.detachIsDropped()).violation());

    assertThat(violation.what()).startsWith("the empty table cannot be reached");
    assertThat(violation.path()).containsExactly("claim vS by s1 on n1 (write)");
  }

  @Test
  void findsThatAFailureCountsAsSuccessByAShortestPath() {
    Exploration.Violation violation =
        Objects.requireNonNull(
            explore("single", 5_000, PlantedBugs.failureIsSuccess()).violation());

    assertThat(violation.what()).startsWith("granted and not attached");
    assertThat(violation.path())
        .containsExactly("claim vS by s1 on n1 (write)", "CP vol-vS ebs-n1 rw ends ABORTED");
  }

  @Test
  void writesWhatItFindsAsAScenarioThatRuns() {
    Exploration.Violation violation =
        Objects.requireNonNull(explore("single", 5_000, PlantedBugs.detachIsDropped()).violation());

    Scenario scenario =
        Scenario.read(
            "found.yaml",
            violation.scenario(),
            fixture -> {
              throw new AssertionError("no fixture is named");
            });

    assertThat(violation.expressible()).isTrue();
    assertThat(violation.scenario()).contains("- claim: {alloc: s1, node: n1, volume: vS");
    assertThat(ScenarioRunner.run(scenario).failures()).as("without the bug").isEmpty();
  }

  private static Exploration explore(String volumes, long states, Deciders deciders) {
    return explore(volumes, states, deciders, 2);
  }

  private static Exploration explore(String volumes, long states, Deciders deciders, int threads) {
    return Explorer.explore(
        new Explorer.Scope(volumes, Duration.ofMinutes(5), states, 0, 1, threads),
        deciders,
        System::nanoTime,
        (reached, waiting, depth) -> {});
  }
}
