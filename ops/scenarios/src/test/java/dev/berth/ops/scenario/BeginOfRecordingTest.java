package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.record.Kept;
import dev.berth.ops.record.Recording;
import dev.berth.ops.record.ScenarioRecorder;
import dev.berth.ops.record.Wanted;
import dev.berth.records.AllocEvent;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A recording begins where the table of its volumes was empty, or says what it lacks. */
class BeginOfRecordingTest {
  /** A claim that comes and goes, and an hour later another that is there at the end. */
  private static final String TWO_CLAIMS =
      """
      id: R
      title: Two claims, one after the other
      steps:
        - node: {id: n1, status: ready}
        - node: {id: n2, status: ready}
        - plugin: {id: ebs, node: n1, role: controller, health: healthy, attach: true}
        - plugin: {id: ebs, node: n1, role: node, health: healthy, external-node: i-1}
        - plugin: {id: ebs, node: n2, role: node, health: healthy, external-node: i-2}
        - volume: {id: vA, plugin: ebs, external: vol-a, capabilities: [{access: single-node-writer}]}
        - claim: {alloc: a1, node: n1, volume: vA, mode: write, access: single-node-writer}
        - alloc: {id: a1, status: complete}
        - unmounted: {alloc: a1, volume: vA}
        - expect: {table: {vA: {}}}
        - advance: 1h
        - claim: {alloc: a2, node: n2, volume: vA, mode: write, access: single-node-writer}
        - advance: 10m
        - alloc: {id: a2, status: running}
        - expect: {table: {vA: {a2: {state: taken}}}}
      """;

  /** Topics that keep the last word on each key for ever. */
  private static final Set<Topic> COMPACTED =
      Set.of(Topic.NODES, Topic.PLUGINS, Topic.POLICIES, Topic.VOLUMES);

  private final List<Kept> records =
      ScenarioRunner.log(Scenario.read("two-claims.yaml", TWO_CLAIMS, fixture -> Optional.empty()))
          .stream()
          .map(seen -> new Kept(seen.topic(), seen.at(), seen.key(), seen.value()))
          .toList();

  private final Instant secondClaim = firstWordOf("a2");

  @Test
  void leavesOutWhatHadComeAndGoneBefore() {
    Recording recording = record(records, secondClaim);

    assertThat(recording.complete()).isTrue();
    assertThat(recording.begin()).isEqualTo(secondClaim);
    assertThat(recording.text()).contains("a2").doesNotContain("a1");
    assertHolds(recording);
  }

  @Test
  void goesBackToAMomentWithoutClaims() {
    Recording recording = record(records, secondClaim.plus(Duration.ofMinutes(5)));

    assertThat(recording.complete()).isTrue();
    assertThat(recording.begin()).isBeforeOrEqualTo(secondClaim);
    assertThat(recording.text()).contains("a2");
    assertHolds(recording);
  }

  @Test
  void namesTheClaimsWhoseOriginIsNoLongerKept() {
    Instant cut = secondClaim.plus(Duration.ofMinutes(1));
    List<Kept> rest =
        records.stream()
            .filter(kept -> COMPACTED.contains(kept.topic()) || kept.at().isAfter(cut))
            .toList();

    Recording recording = record(rest, null);

    assertThat(recording.complete()).isFalse();
    assertThat(recording.notes())
        .anySatisfy(note -> assertThat(note).contains("cannot end as it did", "default/vA/a2"));
  }

  private Instant firstWordOf(String alloc) {
    return records.stream()
        .filter(kept -> kept.value() instanceof AllocEvent it && it.getAlloc().equals(alloc))
        .findFirst()
        .orElseThrow()
        .at();
  }

  private static Recording record(List<Kept> records, @Nullable Instant from) {
    return ScenarioRecorder.record(
        records,
        new Wanted(
            "recorded", Set.of("default/vA"), from, null, Duration.ZERO, List.of("a scenario")));
  }

  private static void assertHolds(Recording recording) {
    Scenario recorded =
        Scenario.read("recorded.yaml", recording.text(), fixture -> Optional.empty());
    assertThat(ScenarioRunner.run(recorded).failures()).as(recording.text()).isEmpty();
  }
}
