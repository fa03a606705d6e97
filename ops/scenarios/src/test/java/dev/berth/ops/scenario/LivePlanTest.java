package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which scenarios run live, at which pace, and why others cannot. */
class LivePlanTest {
  private static final String WORLD =
      """
      id: T
      %s
      steps:
        - node: {id: n1, status: ready}
        - plugin: {id: ebs, node: n1, role: controller, health: healthy, attach: true}
        - plugin: {id: ebs, node: n1, role: node, health: healthy, external-node: i-1}
        - volume: {id: vA, plugin: ebs, external: vol-a, capabilities: [{access: single-node-writer}]}
        - claim: {alloc: a1, node: n1, volume: vA, mode: write, access: single-node-writer}
      """;

  private static final String ENDS =
      """
        - alloc: {id: a1, status: complete}
        - unmounted: {alloc: a1, volume: vA}
      """;

  @Test
  void aFileWithoutTimeRunsInRealTime() {
    assertThat(runs("", ENDS + "  - expect: {table: {vA: {}}}\n"))
        .extracting(LivePlan.Runs::pace, LivePlan.Runs::waits)
        .containsExactly("in real time", Duration.ZERO);
  }

  @Test
  void aFileThatWaitsForLongRunsFaster() {
    LivePlan.Runs plan = runs("", "  - advance: 20m\n  - expect: {rpcs: [\"CP vol-a i-1 rw\"]}\n");

    assertThat(plan.pace()).isEqualTo("30 times faster");
    assertThat(plan.waits()).isEqualTo(Duration.ofSeconds(40));
    assertThat(plan.scenario().policy())
        .contains(
            entry("gc.interval", "10000ms"),
            entry("ready-timeout", "2880000ms"),
            entry("rpc-timeout", "5000ms"));
  }

  @Test
  void aFileWhoseTimesAreNearerThanALiveStepRunsSlower() {
    LivePlan.Runs plan =
        runs(
            "",
            ENDS.replace(
                    "  - unmounted",
                    "  - script: {rpc: \"CU\", with: [INTERNAL, OK]}\n  - unmounted")
                + "  - expect: {table: {vA: {a1: {state: node-detached}}}}\n"
                + "  - advance: 2s\n"
                + "  - expect: {table: {vA: {}}}\n");

    assertThat(plan.pace()).isEqualTo("5 times slower");
    assertThat(plan.scenario().policy()).contains(entry("backoff.first", "5000ms"));
  }

  @Test
  void aFileThatWaitsForADayCannot() {
    assertThat(cannot("", "  - advance: 23h\n  - expect: {rpcs: [\"CP vol-a i-1 rw\"]}\n"))
        .isEqualTo(
            new Problem("t.yaml", 9, "it lets 23h0m0s pass, which no pace brings under 60 s"));
  }

  @Test
  void aFileThatReachesIntoAProcessCannot() {
    assertThat(cannot("", "  - row: {volume: vA, alloc: a1, state: node-detached}\n"))
        .isEqualTo(new Problem("t.yaml", 9, "a live store cannot be edited behind Berth's back"));
    assertThat(cannot("", "  - restart: worker\n").line()).isEqualTo(9);
    assertThat(cannot("", "  - expect: {owner: {ebs: worker-1}}\n").text())
        .isEqualTo("the one live worker has a name of its own, and keeps what it has");
    assertThat(cannot("", "  - expect: {eta: {a1: [0s, 1m]}}\n").text()).contains("predictions");
  }

  @Test
  void anAnswerThatNoDriverCanGiveCannotRun() {
    String held = "  - answer: {rpc: \"CP vol-a i-1 rw\", %s}\n";

    assertThat(cannot("answers: manual", held.formatted("with: UNAVAILABLE, effect: false")).text())
        .isEqualTo("a live call that is open has arrived");
    assertThat(
            runs("answers: manual", held.formatted("with: INTERNAL, effect: true"))
                .scenario()
                .manual())
        .isTrue();
  }

  @Test
  void aFileThatFailsAnywayRunsLiveToo() {
    LivePlan.Runs plan = runs("", "  - expect: {table: {vA: {}}}\n");

    assertThat(plan.pace()).isEqualTo("in real time");
  }

  private static LivePlan.Runs runs(String head, String steps) {
    return (LivePlan.Runs) plan(head, steps);
  }

  private static Problem cannot(String head, String steps) {
    return ((LivePlan.Cannot) plan(head, steps)).reason();
  }

  private static LivePlan plan(String head, String steps) {
    String text = WORLD.formatted(head.isEmpty() ? "title: t" : head) + steps;
    return LivePlan.of(Scenario.read("t.yaml", text, name -> Optional.empty()));
  }
}
