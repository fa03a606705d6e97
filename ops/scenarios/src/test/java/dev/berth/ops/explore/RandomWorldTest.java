package dev.berth.ops.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens to two volumes on three nodes, in whatever order: the rules hold after every
 * step, and once all faults are lifted and all allocs have ended nothing is left. For more walks:
 * {@code -Dberth.random.runs=N -Dberth.random.seed=S}.
 */
class RandomWorldTest {
  private static final long FIRST = Long.getLong("berth.random.seed", 1);
  private static final long RUNS = Long.getLong("berth.random.runs", 12);
  private static final int STEPS = 250;

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theRulesHoldAndEverythingEnds(long seed) throws IOException {
    List<RandomWorlds.Found> found = RandomWorlds.walk(seed, STEPS, Deciders.real());
    for (RandomWorlds.Found one : found) {
      Path file = Path.of("target", "random", "seed-" + seed + ".yaml");
      Files.createDirectories(file.getParent());
      Files.writeString(file, one.scenario());
    }
    assertThat(found).as("target/random/seed-%d.yaml shows what is wrong", seed).isEmpty();
  }

  static LongStream seeds() {
    return LongStream.range(FIRST, FIRST + RUNS);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void findsThatADetachIsNeverAskedFor(long seed) {
    List<RandomWorlds.Found> found = RandomWorlds.walk(seed, STEPS, PlantedBugs.detachIsDropped());

    assertThat(found).hasSize(1);
    assertThat(found.get(0).steps()).hasSizeLessThan(12);
    assertThat(found.get(0).scenario()).contains("  - claim: {");
  }

  @Test
  void findsThatAFailureCountsAsSuccess() {
    assertThat(anyOf(PlantedBugs.failureIsSuccess()))
        .anySatisfy(found -> assertThat(found.what()).startsWith("attached and forgotten"));
  }

  @Test
  void findsThatAWithdrawalIsNotAnswered() {
    assertThat(anyOf(PlantedBugs.withdrawalIsNotAnswered())).isNotEmpty();
  }

  @Test
  void findsThatAnAttachTakesNoSlot() {
    assertThat(anyOf(PlantedBugs.attachTakesNoSlot()))
        .anySatisfy(found -> assertThat(found.what()).startsWith("attached without a slot"));
  }

  private static List<RandomWorlds.Found> anyOf(Deciders wrong) {
    return LongStream.range(1, 7)
        .boxed()
        .flatMap(seed -> RandomWorlds.walk(seed, STEPS, wrong).stream())
        .toList();
  }
}
