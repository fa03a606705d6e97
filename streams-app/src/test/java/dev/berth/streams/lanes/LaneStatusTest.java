package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policy.LaneScope;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LaneStatusTest {
  private final LanesWorld world = new LanesWorld();

  @Test
  void aBacklogIsKnownWithItsDepthAndAge() {
    String first = world.detach("v1", "n1");
    world.advance(Duration.ofSeconds(1));
    world.detach("v2", "n1");
    world.advance(Duration.ofSeconds(19));
    String held = world.onNode(CsiCall.NODE_UNPUBLISH, "v3", "n1");
    world.answer(held, RpcCode.ABORTED);
    Work work = world.attempt(first).work();
    String acceptance = world.accept(first);

    assertThat(world.status())
        .isEqualTo(
            new LaneStatus(
                LanesWorld.EBS,
                false,
                "",
                1,
                1,
                1,
                LanesWorld.START.plusSeconds(1),
                Duration.ZERO,
                Duration.ZERO,
                List.of(new LaneStatus.OpenAttempt(work, acceptance, "worker", world.now())),
                world.now()));
  }

  @Test
  void aPluginOfWhichNothingWasAskedHasNoBacklog() {
    assertThat(LaneStatus.of(world.state(), "gce", world.now()))
        .isEqualTo(
            new LaneStatus(
                "gce",
                false,
                "",
                0,
                0,
                0,
                null,
                Duration.ZERO,
                Duration.ZERO,
                List.of(),
                world.now()));
  }

  @Test
  void recentTimesWeighMoreInTheMeans() {
    measure(world.attach("v1", "n1"), Duration.ofSeconds(1));
    measure(world.attach("v2", "n1"), Duration.ofSeconds(2));
    measure(world.detach("v1", "n1"), Duration.ofMillis(300));
    measure(world.onNode(CsiCall.NODE_STAGE, "v3", "n1"), Duration.ofMillis(7));
    assertThat(world.status())
        .extracting("attachMean", "detachMean")
        .containsExactly(Duration.ofMillis(1200), Duration.ofMillis(300));
  }

  @Test
  void anImpossibleTimeIsNotBelieved() {
    measure(world.attach("v1", "n1"), Duration.ofSeconds(-5));
    measure(world.detach("v1", "n1"), Duration.ofDays(900));
    assertThat(world.status())
        .extracting("attachMean", "detachMean")
        .containsExactly(Duration.ofMillis(1), Duration.ofDays(1));
  }

  @Test
  void everyChangeOfTheBacklogIsTold() {
    world.effects();
    world.detach("v1", "n1");
    assertThat(world.effects()).contains(new LanesEffect.StatusChanged(LanesWorld.EBS));
    world.decide(new LanesEvent.Due());
    assertThat(world.effects()).isEmpty();
  }

  @Test
  void aStatusShowsTheOldestAttemptsOnly() {
    for (int i = 0; i < 50; i++) {
      world.onNode(CsiCall.NODE_UNPUBLISH, "v" + i, "n1");
    }

    assertThat(world.status().inFlight()).isEqualTo(50);
    assertThat(world.status().open())
        .extracting(open -> open.work().attemptId())
        .containsExactlyElementsOf(
            world.state().scan(LaneTables.ATTEMPTS, "").stream()
                .map(State.Entry::key)
                .limit(LaneStatus.MOST_OPEN)
                .toList());
  }

  @Test
  void aStatusFitsIntoARecordHoweverMuchTheCallsCarry() {
    MapState state = new MapState();
    PluginLanes lanes = PluginLanes.first(LanesWorld.EBS, LanesWorld.START, LaneScope.PLUGIN);
    state.apply(new Change.Put<>(LaneTables.PLUGIN_LANES, LanesWorld.EBS, lanes));
    Map<String, String> large = Map.of("k", "x".repeat(60_000));
    String request = world.onNode(CsiCall.NODE_UNPUBLISH, "v1", "n1");
    Work small = world.attempt(request).work();
    for (int i = 100; i < 200; i++) {
      Work work = withContext(small, LanesWorld.EBS + "/" + i, large);
      state.apply(
          new Change.Put<>(
              LaneTables.ATTEMPTS, work.attemptId(), new Attempt(work, List.of(), false)));
    }

    assertThat(LaneStatus.of(state, LanesWorld.EBS, LanesWorld.START).open()).hasSize(2);
  }

  private static Work withContext(Work like, String attempt, Map<String, String> context) {
    Work.WorkCall first = like.calls().get(0);
    Call heavy = LanesWorld.carrying(first.call(), context);
    return work(like, attempt, List.of(new Work.WorkCall(first.requestId(), heavy)));
  }

  private static Work work(Work like, String attempt, List<Work.WorkCall> calls) {
    return new Work(
        attempt,
        like.plugin(),
        like.lane(),
        like.route(),
        like.instanceNode(),
        like.endpoint(),
        like.nodeIncarnation(),
        like.timeout(),
        like.dispatchedAt(),
        calls);
  }

  private void measure(String request, Duration took) {
    String acceptance = world.accept(request);
    world.outcome(
        request,
        acceptance,
        new CallEnd(
            CallFate.ANSWERED,
            NotSentReason.NONE,
            RpcCode.OK,
            "",
            Map.of(),
            LanesWorld.START,
            LanesWorld.START.plus(took)));
  }
}
