package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What led to a failure is told with it: what came in, what was decided, what followed. */
class TraceTest {
  private static final String WORLD =
      """
      id: T
      steps:
        - node: {id: n1, status: ready}
        - plugin: {id: ebs, node: n1, role: controller, health: healthy, attach: true}
        - plugin: {id: ebs, node: n1, role: node, health: healthy, external-node: i-1}
        - volume: {id: vA, plugin: ebs, external: vol-a, capabilities: [{access: single-node-writer}]}
        - volume: {id: vB, plugin: ebs, external: vol-b, capabilities: [{access: single-node-writer}]}
        - claim: {alloc: a1, node: n1, volume: vA, mode: write, access: single-node-writer}
        - claim: {alloc: b1, node: n1, volume: vB, mode: write, access: single-node-writer}
      """;

  private static final String UNMOUNTED =
      "+90s     event  alloc-events default/vA: a1 has unmounted (index 3)";

  @Test
  void aTraceTellsCauseAndConsequencesOfWhatTheExpectationIsAbout() {
    Failure failure =
        failure(
            """
              - alloc: {id: a1, status: complete}
              - script: {rpc: "CU vol-a", with: [INTERNAL]}
              - advance: 90s
              - unmounted: {alloc: a1, volume: vA}
              - expect: {table: {vA: {}}}
            """);

    assertThat(failure.what()).isEqualTo("table vA");
    assertThat(failure.line()).isEqualTo(14);
    assertThat(failure.trace()).noneMatch(line -> line.toString().contains("vB"));
    List<String> lines = failure.trace().stream().map(TraceLine::toString).toList();
    int unmounted = lines.indexOf(UNMOUNTED);
    assertThat(lines.subList(unmounted, unmounted + 6))
        .map(line -> line.replaceAll("ebs/\\S+", "ebs/N"))
        .containsExactly(
            UNMOUNTED,
            "           decision claim-history default/vA: on a1 has unmounted: node-detached a1 on n1"
                + " (CLIENT_UNMOUNTED); put claims a1 = node-detached, generation 1 on n1; put"
                + " attachments n1 = detaching i-1, generation 2, asked #3",
            "           effect   lane-requests ebs: default/vA#3 CU vol-a i-1",
            "           effect   plugin-work ebs: ebs/N at n1: CU vol-a i-1",
            "+90s     event  work-acceptances ebs: ebs/N accepted, 2m0s allowed",
            "           rpc      CU vol-a i-1 @n1");
    assertThat(lines.subList(unmounted + 6, lines.size()))
        .first()
        .isEqualTo("+90s     answer CU vol-a i-1 @n1: INTERNAL, scripted INTERNAL");
  }

  @Test
  void aTraceEndsWhereTheExpectationStands() {
    Failure failure =
        failure(
            """
              - expect: {table: {vA: {}}}
              - alloc: {id: a1, status: complete}
            """);

    assertThat(failure.trace()).noneMatch(line -> line.text().contains("complete"));
  }

  @Test
  void anAnswerToNothingIsAFailureOfItsLine() {
    Failure failure =
        failure(
            """
              - answer: {rpc: "CU vol-a i-1"}
              - advance: 1s
            """);

    assertThat(failure)
        .extracting(Failure::line, Failure::what, Failure::expected, Failure::actual)
        .containsExactly(10, "answer", "an open RPC 'CU vol-a i-1'", "open are []");
  }

  private static Failure failure(String steps) {
    Scenario scenario = Scenario.read("t.yaml", WORLD + steps, name -> Optional.empty());
    return ScenarioRunner.run(scenario).failures().get(0);
  }
}
