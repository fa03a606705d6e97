package dev.berth.streams.claims;

import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Under random events and answers")
class RandomVolumeTest {
  private static final int SEEDS = Integer.getInteger("berth.seeds", 3);
  private static final int STEPS = 1_500;

  @ParameterizedTest(name = "{1} {2}, seed {0}")
  @MethodSource
  @DisplayName("every decision keeps the rules, and in the end everything is free")
  void rulesHold(long seed, String volume, Map<String, String> policy) {
    Simulation simulation = new Simulation(seed, volume, policy);

    simulation.run(STEPS);

    simulation.endsWithNothingLeft();
  }

  static Stream<Arguments> rulesHold() {
    return LongStream.range(0, SEEDS).boxed().flatMap(RandomVolumeTest::variants);
  }

  private static Stream<Arguments> variants(long seed) {
    String loss =
        switch ((int) (seed % 3)) {
          case 0 -> "stop-on-disconnect";
          case 1 -> "detach";
          default -> "hold";
        };
    return Stream.of("vA", "vM", "vX", "vN")
        .flatMap(
            volume ->
                Stream.of("client", "worker")
                    .map(
                        step ->
                            Arguments.of(
                                seed,
                                volume,
                                Map.of(
                                    "node-step", step,
                                    "node-loss", loss,
                                    "ready-timeout", "1h"))));
  }
}
