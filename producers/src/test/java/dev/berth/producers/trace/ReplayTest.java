package dev.berth.producers.trace;

import static dev.berth.producers.trace.Traces.node;
import static dev.berth.producers.trace.Traces.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.producers.LiveAllocSource;
import dev.berth.producers.LiveAllocs;
import dev.berth.records.ClaimReply;
import dev.berth.records.FeedPosition;
import dev.berth.records.RejectCode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {

  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private static final ReplayOptions OPTIONS = ReplayOptions.of("feed-1");
  private static final TracePlan SAMPLE = Traces.sample();

  private final FakeTime time = new FakeTime();
  private final FakeBerth berth = new FakeBerth(time);

  @Test
  void bringsEveryAllocOfTheSampleToItsEnd() throws InterruptedException {
    ReplayResult result = replay(SAMPLE, OPTIONS, Optional.empty());

    assertThat(result.ended()).isEqualTo(200);
    assertThat(result.claims()).hasSize(219).allMatch(claim -> claim.answered().isPresent());
    assertThat(result.rejected()).isEmpty();
    assertThat(berth.ended()).hasSize(200);
    assertThat(berth.rows()).isEmpty();
  }

  @Test
  void saysTheEventsOfAnAllocInTheirOrder() throws InterruptedException {
    // 8: shareable, mounted by the client, of the three ends that do not fail.
    replay(plan(pod("p-8", 0, 10), pod("p-9", 0, 10), pod("p-10", 0, 10)), OPTIONS);

    assertThat(of("p-8"))
        .containsExactly("claims gce-001", "RUNNING RUN", "COMPLETE RUN", "unmounted");
    assertThat(of("p-9"))
        .containsExactly(
            "claims gce-002", "RUNNING RUN", "RUNNING STOP", "COMPLETE STOP", "unmounted");
    assertThat(of("p-10"))
        .containsExactly("claims gce-003", "RUNNING RUN", "unmounted", "COMPLETE RUN");
  }

  @Test
  void neverSaysThatAWorkersVolumeIsUnmounted() throws InterruptedException {
    replay(plan(pod("p-1", 0, 10)), OPTIONS);

    assertThat(of("p-1")).containsExactly("claims ebs-001", "RUNNING RUN", "COMPLETE RUN");
  }

  @Test
  void tellsWhomAClaimWaitedFor() throws InterruptedException {
    // By its number, 21 waits where it can: for the volume that 20 has, which ends before it.
    TracePlan plan = waitingPlan();

    ReplayResult result = replay(plan, OPTIONS);

    assertThat(result.claims())
        .filteredOn(claim -> claim.heldBy().isPresent())
        .extracting(ClaimTimes::alloc, ClaimTimes::heldBy)
        .isNotEmpty()
        .containsExactlyElementsOf(
            plan.allocs().stream()
                .filter(alloc -> alloc.waitsBehind().isPresent())
                .map(alloc -> org.assertj.core.groups.Tuple.tuple(alloc.id(), alloc.waitsBehind()))
                .toList());
  }

  @Test
  void keepsTheTimesOfTheTraceByTheFactor() throws InterruptedException {
    ReplayResult result =
        replay(
            plan(pod("p-1", 1_000, 1_300), pod("p-2", 1_100, 1_200)),
            OPTIONS.withPace(Pace.times(100)));

    assertThat(result.claims())
        .extracting(ClaimTimes::asked)
        .containsExactly(Duration.ZERO, Duration.ofSeconds(1));
    assertThat(result.took()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void claimsNoFasterThanTheRate() throws InterruptedException {
    ReplayResult result =
        replay(
            plan(pod("p-1", 0, 9), pod("p-2", 0, 9), pod("p-3", 0, 9)),
            OPTIONS.withPace(Pace.max().atMost(2)));

    assertThat(result.claims())
        .extracting(ClaimTimes::asked)
        .containsExactly(Duration.ZERO, Duration.ofMillis(500), Duration.ofSeconds(1));
  }

  @Test
  void theWindowHoldsBackClaims() throws InterruptedException {
    TracePlan plan =
        plan(
            IntStream.range(0, 30).mapToObj(i -> pod("p-" + i, i, i + 1)).toArray(TracePod[]::new));

    replay(plan, OPTIONS.withWindow(4));

    // The plan itself has one alloc at a time; two volumes for each fifth.
    assertThat(berth.mostRows()).isBetween(3, 8);
    assertThat(berth.ended()).hasSize(30);
  }

  @Test
  void aRejectedAllocIsGivenUpAndTheOthersGoOn() throws InterruptedException {
    berth.reject("p-2");

    ReplayResult result = replay(plan(pod("p-1", 0, 9), pod("p-2", 0, 9)), OPTIONS);

    assertThat(result.rejected())
        .extracting(ClaimTimes::alloc, ClaimTimes::rejected)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("p-2", Optional.of(RejectCode.ALLOC_TERMINAL)));
    assertThat(of("p-2")).containsExactly("claims ebs-002", "FAILED STOP");
    assertThat(of("p-1")).endsWith("COMPLETE RUN");
  }

  @Test
  void mountsBeforeItRunsAndUnmountsBeforeItSaysSo() throws InterruptedException {
    List<String> seen = berth.log();
    Workload workload =
        new Workload() {
          @Override
          public CompletableFuture<Void> mount(TraceAlloc alloc, TraceUse use, ClaimReply reply) {
            seen.add(alloc.id() + " mount");
            return CompletableFuture.completedFuture(null);
          }

          @Override
          public CompletableFuture<Void> unmount(TraceAlloc alloc, TraceUse use) {
            seen.add(alloc.id() + " unmount");
            return CompletableFuture.completedFuture(null);
          }
        };

    new Replay(plan(pod("p-8", 0, 9)), OPTIONS, berth, workload, CLOCK, time)
        .run(Optional.empty(), at -> {});

    assertThat(of("p-8"))
        .containsExactly(
            "claims gce-001", "mount", "RUNNING RUN", "COMPLETE RUN", "unmount", "unmounted");
  }

  @Test
  void aFailedMountEndsTheReplay() {
    Workload broken =
        new Workload() {
          @Override
          public CompletableFuture<Void> mount(TraceAlloc alloc, TraceUse use, ClaimReply reply) {
            return CompletableFuture.failedFuture(new IllegalStateException("no such device"));
          }

          @Override
          public CompletableFuture<Void> unmount(TraceAlloc alloc, TraceUse use) {
            return CompletableFuture.completedFuture(null);
          }
        };

    assertThatThrownBy(
            () ->
                new Replay(plan(pod("p-8", 0, 9)), OPTIONS, berth, broken, CLOCK, time)
                    .run(Optional.empty(), at -> {}))
        .isInstanceOf(ReplayFailedException.class)
        .hasMessage("the mounting by p-8: no such device");
  }

  @Test
  void endsWhenNothingHappensForTooLong() {
    Workload hanging =
        new Workload() {
          @Override
          public CompletableFuture<Void> mount(TraceAlloc alloc, TraceUse use, ClaimReply reply) {
            return new CompletableFuture<>();
          }

          @Override
          public CompletableFuture<Void> unmount(TraceAlloc alloc, TraceUse use) {
            return new CompletableFuture<>();
          }
        };
    ReplayOptions impatient = OPTIONS.withPatience(Duration.ofSeconds(30));

    assertThatThrownBy(
            () ->
                new Replay(plan(pod("p-8", 0, 9)), impatient, berth, hanging, CLOCK, time)
                    .run(Optional.empty(), at -> {}))
        .hasMessage("nothing happened for 30 s; waited for: p-8 claimed");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 13, 47, 150})
  void aKilledReplayGoesOnWithoutLosingOrDoublingAnything(int transactions)
      throws InterruptedException {
    int runs = 0;
    boolean finished = false;
    while (!finished) {
      // Every run gets a little further than the claims it has to repeat.
      berth.dieAfter(200 + transactions + runs++);
      try {
        replay(SAMPLE, OPTIONS, berth.position());
        finished = true;
      } catch (FakeBerth.Killed e) {
        assertThat(berth.position()).isPresent();
      }
    }

    assertThat(runs).isGreaterThan(1);
    assertThat(berth.ended()).hasSize(200);
    assertThat(berth.rows()).isEmpty();
    assertThat(berth.log().stream().filter(said -> said.matches(".* (COMPLETE|FAILED) .*")))
        .doesNotHaveDuplicates()
        .hasSize(200);
    assertThat(berth.position().orElseThrow().getOpen()).isEmpty();
  }

  @Test
  void listsTheAllocsThatAreBetweenTheirClaimAndTheirEnd() throws Exception {
    List<Set<String>> lists = new ArrayList<>();
    Replay replay =
        new Replay(
            plan(pod("p-8", 0, 9), pod("p-18", 1, 20)),
            OPTIONS,
            berth,
            Workload.stated(),
            CLOCK,
            time);
    LiveAllocSource source = replay.liveAllocs();
    CompletableFuture<Set<String>> early = CompletableFuture.supplyAsync(() -> ids(source));
    replay.run(Optional.empty(), at -> lists.add(ids(source)));

    assertThat(lists).containsExactly(Set.of("p-18"), Set.of());
    assertThat(early).succeedsWithin(Duration.ofSeconds(10));
  }

  @Test
  void aListOfLiveAllocsJudgesThoseOfThePlanOnly() throws Exception {
    Replay replay =
        new Replay(
            plan(pod("p-8", 0, 9), pod("p-18", 1, 20)),
            OPTIONS,
            berth,
            Workload.stated(),
            CLOCK,
            time);
    replay.run(Optional.empty(), at -> {});

    assertThat(replay.liveAllocs().list())
        .isEqualTo(LiveAllocs.of(Set.of()).among(Set.of("p-8", "p-18")));
  }

  private static Set<String> ids(LiveAllocSource source) {
    try {
      return source.list().ids();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFinishedFeedHasNothingLeftToDo() throws InterruptedException {
    replay(SAMPLE, OPTIONS);
    int said = berth.log().size();

    ReplayResult again = replay(SAMPLE, OPTIONS, berth.position());

    assertThat(again.before()).isEqualTo(200);
    assertThat(again.ended()).isZero();
    assertThat(berth.log()).hasSize(said);
  }

  @Test
  void anotherTraceUnderTheSameFeedIdIsRefused() throws InterruptedException {
    replay(plan(pod("p-1", 0, 9)), OPTIONS);
    Optional<FeedPosition> position = berth.position();

    assertThatThrownBy(() -> replay(plan(pod("p-2", 0, 9)), OPTIONS, position))
        .isInstanceOf(ReplayFailedException.class)
        .hasMessage(
            "feed 'feed-1' stands at alloc 1 of another trace (test, then); give the same files as"
                + " then, or another feed id");
  }

  private ReplayResult replay(TracePlan plan, ReplayOptions options) throws InterruptedException {
    return replay(plan, options, Optional.empty());
  }

  private ReplayResult replay(TracePlan plan, ReplayOptions options, Optional<FeedPosition> from)
      throws InterruptedException {
    return new Replay(plan, options, berth, Workload.stated(), CLOCK, time).run(from, at -> {});
  }

  private List<String> of(String alloc) {
    return berth.log().stream()
        .filter(said -> said.startsWith(alloc + " "))
        .map(said -> said.substring(alloc.length() + 1))
        .collect(Collectors.toList());
  }

  private static TracePlan plan(TracePod... pods) {
    return Traces.plan(List.of(node("n1", 100_000, 200_000)), List.of(pods));
  }

  private static TracePlan waitingPlan() {
    List<TracePod> pods = new ArrayList<>();
    IntStream.range(0, 8).forEach(i -> pods.add(pod("p-" + (20 + i), 10L * i, 200L + 20L * i)));
    return plan(pods.toArray(TracePod[]::new));
  }
}
