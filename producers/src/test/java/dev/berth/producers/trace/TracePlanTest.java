package dev.berth.producers.trace;

import static dev.berth.producers.trace.Traces.neverScheduled;
import static dev.berth.producers.trace.Traces.node;
import static dev.berth.producers.trace.Traces.plan;
import static dev.berth.producers.trace.Traces.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AccessMode;
import dev.berth.records.ClaimMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TracePlanTest {

  private static final TracePlan SAMPLE = Traces.sample();

  @Test
  void theSameTraceGivesTheSamePlan() {
    TracePlan again = Traces.sample();

    assertThat(again).isEqualTo(SAMPLE);
    assertThat(again.fingerprint()).isEqualTo(SAMPLE.fingerprint());
  }

  @Test
  void theSampleHoldsWaitsSharingAndMoves() {
    TraceSummary summary = TraceSummary.of(SAMPLE);

    assertThat(summary)
        .isEqualTo(
            new TraceSummary(
                218,
                18,
                List.of(),
                200,
                219,
                Map.of("ebs", 95, "gce", 84, "nfs", 40),
                Map.of(
                    AccessMode.SINGLE_NODE_WRITER, 149,
                    AccessMode.MULTI_NODE_MULTI_WRITER, 50,
                    AccessMode.MULTI_NODE_SINGLE_WRITER, 20),
                Map.of("ebs", 10, "gce", 9, "nfs", 4),
                74,
                19,
                36,
                111,
                5,
                9,
                23,
                Duration.ofSeconds(137_974)));
  }

  @Test
  void noNodeEverHoldsMoreThanItHas() {
    Map<String, TraceNode> nodes =
        SAMPLE.trace().nodes().stream()
            .collect(Collectors.toMap(TraceNode::id, Function.identity()));
    Map<String, TracePod> pods =
        SAMPLE.trace().pods().stream().collect(Collectors.toMap(TracePod::name, pod -> pod));
    Map<String, Long> cpu = new HashMap<>();
    Map<String, Long> memory = new HashMap<>();
    for (TraceStep step : SAMPLE.steps()) {
      TraceAlloc alloc = SAMPLE.allocs().get(step.alloc());
      TracePod pod = pods.get(alloc.id());
      int sign = step.kind() == TraceStep.Kind.CLAIM ? 1 : -1;
      assertThat(cpu.merge(alloc.node(), sign * pod.cpuMilli(), Long::sum))
          .isBetween(0L, nodes.get(alloc.node()).cpuMilli());
      assertThat(memory.merge(alloc.node(), sign * pod.memoryMib(), Long::sum))
          .isBetween(0L, nodes.get(alloc.node()).memoryMib());
    }
  }

  @Test
  void everyAllocClaimsOnceAndEndsOnceAfterThat() {
    Map<Integer, List<TraceStep.Kind>> steps =
        SAMPLE.steps().stream()
            .collect(
                Collectors.groupingBy(
                    TraceStep::alloc, Collectors.mapping(TraceStep::kind, Collectors.toList())));

    assertThat(steps).hasSize(200);
    assertThat(steps.values())
        .allMatch(kinds -> kinds.equals(List.of(TraceStep.Kind.CLAIM, TraceStep.Kind.END)));
    assertThat(SAMPLE.steps()).isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
  }

  @Test
  void whoeverWaitsIsGrantedWithinItsLife() {
    Map<String, TraceAlloc> byId =
        SAMPLE.allocs().stream().collect(Collectors.toMap(TraceAlloc::id, alloc -> alloc));

    assertThat(SAMPLE.allocs())
        .filteredOn(alloc -> alloc.waitsBehind().isPresent())
        .isNotEmpty()
        .allSatisfy(
            alloc ->
                assertThat(byId.get(alloc.waitsBehind().orElseThrow()).ends())
                    .isBetween(alloc.claims(), alloc.ends()));
  }

  @Test
  void aVolumeOfOneWriterIsWrittenByOneAtATimeExceptForThoseWhoWait() {
    Map<String, String> writer = new HashMap<>();
    for (TraceStep step : SAMPLE.steps()) {
      TraceAlloc alloc = SAMPLE.allocs().get(step.alloc());
      TraceUse use = alloc.uses().get(0);
      boolean alone =
          use.mode() == ClaimMode.WRITE
              && use.volume().access() != AccessMode.MULTI_NODE_MULTI_WRITER;
      if (alone && step.kind() == TraceStep.Kind.CLAIM) {
        Optional<String> present = Optional.ofNullable(writer.put(use.volume().id(), alloc.id()));
        assertThat(alloc.waitsBehind()).isEqualTo(present);
      } else if (alone) {
        writer.remove(use.volume().id(), alloc.id());
      }
    }
  }

  @Test
  void aSecondVolumeIsAlwaysOneThatNobodyWaitsFor() {
    assertThat(SAMPLE.allocs())
        .filteredOn(alloc -> alloc.uses().size() == 2)
        .hasSize(19)
        .allMatch(
            alloc ->
                alloc.uses().get(1).volume().access() == AccessMode.MULTI_NODE_MULTI_WRITER
                    && alloc.uses().get(0).volume().access() == AccessMode.SINGLE_NODE_WRITER);
  }

  @Test
  void podsThatWereNeverScheduledClaimNothing() {
    TracePlan plan =
        plan(List.of(node("n1", 4_000, 8_192)), List.of(neverScheduled("p-1"), pod("p-2", 1, 2)));

    assertThat(plan.neverScheduled()).isEqualTo(1);
    assertThat(plan.allocs()).extracting(TraceAlloc::id).containsExactly("p-2");
  }

  @Test
  void podsThatFitNowhereAreNamedAndClaimNothing() {
    TracePlan plan =
        plan(
            List.of(node("n1", 1_500, 2_048)),
            List.of(pod("p-1", 1, 5), pod("p-2", 2, 3), pod("p-3", 5, 6)));

    assertThat(plan.unplaced()).containsExactly("p-2");
    assertThat(plan.allocs()).extracting(TraceAlloc::id).containsExactly("p-1", "p-3");
  }

  @Test
  void usedNodesAreFilledBeforeOthersAndTheTightestFirst() {
    TracePlan plan =
        plan(
            List.of(node("big", 8_000, 8_192), node("small", 2_000, 2_048)),
            IntStream.range(0, 4).mapToObj(i -> pod("p-" + i, i, 10)).toList());

    assertThat(plan.allocs())
        .extracting(TraceAlloc::node)
        .containsExactly("small", "small", "big", "big");
  }

  @Test
  void aPodOfNoTimeClaimsBeforeItEnds() {
    TracePlan plan = plan(List.of(node("n1", 4_000, 8_192)), List.of(pod("p-1", 3, 3)));

    assertThat(plan.steps())
        .extracting(TraceStep::kind)
        .containsExactly(TraceStep.Kind.CLAIM, TraceStep.Kind.END);
  }

  @Test
  void aPodThatIsNeverDeletedEndsWithTheTrace() {
    TracePod endless =
        new TracePod("p-1", 1, 1, "BE", "Running", Optional.of(Duration.ZERO), Optional.empty());

    TracePlan plan = plan(List.of(node("n1", 4_000, 8_192)), List.of(endless, pod("p-2", 1, 7)));

    assertThat(plan.allocs().get(0).ends()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void podsAreNumberedByTheDigitsAtTheEndOfTheirNames() {
    assertThat(PodName.of("openb-pod-0322", 5)).isEqualTo(new PodName(322, "openb-pod-03"));
    assertThat(PodName.of("web-7", 5)).isEqualTo(new PodName(7, "web"));
    assertThat(PodName.of("web", 5)).isEqualTo(new PodName(5, "web"));
  }
}
