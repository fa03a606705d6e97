package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.streams.command.Command;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Calls of one lane that share a work record. */
class RunsTest {
  private final LanesWorld world = new LanesWorld().policy("run", "4");

  @Test
  void aRunTakesCallsInTheOrderOfTheirTurns() {
    List<String> requests = attaches(6);
    assertThat(world.calls()).containsExactly("CP ext-v0 i-1 @n1");
    world.ok(requests.get(0));
    assertThat(world.calls())
        .containsExactly(
            "CP ext-v1 i-1 @n1, CP ext-v2 i-1 @n1, CP ext-v3 i-1 @n1, CP ext-v4 i-1 @n1");
  }

  @Test
  void attachesAndDetachesShareARunByWeight() {
    String first = attach("v0", "n1");
    attach("v1", "n1");
    attach("v2", "n1");
    world.detach("v3", "n1");
    world.detach("v4", "n1");
    world.calls();
    world.ok(first);
    assertThat(world.calls())
        .containsExactly(
            "CU ext-v3 i-1 @n1, CP ext-v1 i-1 @n1, CU ext-v4 i-1 @n1, CP ext-v2 i-1 @n1");
  }

  @Test
  void eachCallSettlesWhenItIsReportedAndTheLaneGoesOnAfterTheLast() {
    List<String> run = run(4);
    String next = attach("v9", "n1");
    String acceptance = world.accept(run.get(0));
    for (String request : run) {
      assertThat(world.calls()).isEmpty();
      world.outcome(request, acceptance, ok());
      assertThat(world.settlement(request)).isInstanceOf(Settlement.Done.class);
    }
    assertThat(world.calls()).containsExactly("CP ext-v9 i-1 @n1");
    assertThat(world.settled(next)).isFalse();
  }

  @Test
  void anAnsweredErrorHoldsItsCallAndTheRunGoesOn() {
    List<String> run = run(3);
    String acceptance = world.accept(run.get(0));
    world.outcome(run.get(0), acceptance, answered(RpcCode.ABORTED));
    assertThat(world.held(run.get(0)).hold().rpcCode()).isEqualTo(RpcCode.ABORTED);
    world.advance(Duration.ofMinutes(1));
    assertThat(world.calls()).as("the retry waits for the end of the run").isEmpty();
    world.outcome(run.get(1), acceptance, ok());
    world.outcome(run.get(2), acceptance, ok());
    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1");
  }

  @Test
  void callsThatTheRunDidNotGetToAreBackInTheirPlaces() {
    List<String> run = run(3);
    String behind = attach("v9", "n1");
    String acceptance = world.accept(run.get(0));
    world.outcome(
        run.get(0),
        acceptance,
        world.end(CallFate.UNANSWERED, NotSentReason.NONE, RpcCode.DEADLINE_EXCEEDED));
    world.outcome(run.get(1), acceptance, stopped());
    assertThat(world.calls()).isEmpty();
    world.outcome(run.get(2), acceptance, stopped());
    assertThat(world.calls())
        .containsExactly("CP ext-v2 i-1 @n1, CP ext-v3 i-1 @n1, CP ext-v9 i-1 @n1");
    assertThat(world.row(run.get(1)).budget()).isEqualTo(Budget.NEW);
    assertThat(world.settlements(run.get(1))).isEmpty();
    assertThat(world.row(behind).place()).isInstanceOf(Place.Open.class);
  }

  @Test
  void afterACallThatNeverGotThroughTheNextInstanceIsAskedFirst() {
    List<String> run = run(3);
    String acceptance = world.accept(run.get(0));
    world.outcome(
        run.get(0),
        acceptance,
        world.end(CallFate.UNREACHED, NotSentReason.NONE, RpcCode.UNAVAILABLE));
    world.outcome(run.get(1), acceptance, stopped());
    world.outcome(run.get(2), acceptance, stopped());
    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n2");
    world.ok(run.get(0));
    assertThat(world.calls()).containsExactly("CP ext-v2 i-1 @n2, CP ext-v3 i-1 @n2");
  }

  @Test
  void aShutdownIsCountedOnceForARun() {
    List<String> run = run(3);
    String acceptance = world.accept(run.get(0));
    CallEnd shutdown = world.end(CallFate.NOT_SENT, NotSentReason.SHUTDOWN, RpcCode.UNAVAILABLE);
    run.forEach(request -> world.outcome(request, acceptance, shutdown));
    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n2");
    assertThat(world.row(run.get(1)).budget()).isEqualTo(Budget.NEW);
    assertThat(world.row(run.get(2)).place()).isInstanceOf(Place.Queued.class);
  }

  @Test
  void afterTheTimeAllowedEveryUnreportedCallIsUncertain() {
    world.policy("rpc-timeout", "15s");
    List<String> run = run(3);
    String acceptance = world.accept(world.attempt(run.get(0)).work(), Duration.ofSeconds(15));
    world.outcome(run.get(0), acceptance, ok());
    world.settlements(run.get(0));
    world.advance(Duration.ofSeconds(14));
    assertThat(world.row(run.get(1)).place()).isInstanceOf(Place.Open.class);
    world.advance(Duration.ofSeconds(1));
    for (String request : run.subList(1, 3)) {
      Settlement.Held held = world.held(request);
      assertThat(held.hold().rpcCode()).isEqualTo(RpcCode.DEADLINE_EXCEEDED);
      assertThat(held.mayHaveEffect()).isTrue();
    }
  }

  @Test
  void theSilenceOfAWorkerSaysNothingOfThePluginsSpeed() {
    List<String> run = run(3);
    world.accept(run.get(0));
    Duration before = world.status().attachMean();
    world.advance(Duration.ofMinutes(2));
    assertThat(world.held(run.get(0)).hold().rpcCode()).isEqualTo(RpcCode.DEADLINE_EXCEEDED);
    assertThat(world.status().attachMean()).isEqualTo(before);
  }

  @Test
  void anOutcomeThatOvertakesItsAcceptanceDoesNotCutTheRunShort() {
    world.policy("rpc-timeout", "15s");
    List<String> run = run(2);
    Work work = world.attempt(run.get(0)).work();
    world.outcome(work, 0, "acc-overtaken", ok());
    attach("v9", "n1");
    world.advance(Duration.ofSeconds(10));
    assertThat(world.calls()).isEmpty();
    world.outcome(work, 1, "acc-overtaken", ok());
    assertThat(world.calls()).containsExactly("CP ext-v9 i-1 @n1");
  }

  @Test
  void aCallThatFailedBeforeGoesAlone() {
    List<String> run = run(2);
    String acceptance = world.accept(run.get(0));
    world.outcome(run.get(0), acceptance, answered(RpcCode.ABORTED));
    world.advance(Duration.ofMinutes(1));
    String behind = attach("v8", "n1");
    attach("v9", "n1");
    world.outcome(run.get(1), acceptance, ok());
    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1");
    world.ok(run.get(0));
    assertThat(world.calls()).containsExactly("CP ext-v8 i-1 @n1, CP ext-v9 i-1 @n1");
    assertThat(world.row(behind).place()).isInstanceOf(Place.Open.class);
  }

  @Test
  void theTrialOfASickNodeGoesAlone() {
    world.policy("breaker-failures", "1");
    String sick = attach("v0", "n2");
    world.answer(sick, RpcCode.NOT_FOUND);
    String first = attach("v1", "n1");
    String second = attach("v2", "n1");
    String trial = attach("v3", "n2");
    attach("v4", "n1");
    world.calls();
    world.advance(Duration.ofMinutes(1));
    world.ok(first);
    assertThat(world.calls()).containsExactly("CP ext-v2 i-1 @n1");
    world.ok(second);
    assertThat(world.calls()).containsExactly("CP ext-v3 i-2 @n1");
    world.ok(trial);
    assertThat(world.calls()).containsExactly("CP ext-v4 i-1 @n1");
  }

  @Test
  void oneAttachmentIsInARunOnlyOnce() {
    String first = attach("v0", "n1");
    String detach = world.detach("v1", "n1");
    attach("v1", "n1");
    world.calls();
    world.ok(first);
    assertThat(world.calls()).containsExactly("CU ext-v1 i-1 @n1");
    world.ok(detach);
    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1");
  }

  @Test
  void aWithdrawnCallThatTheRunDidNotGetToIsWithdrawn() {
    List<String> run = run(2);
    String acceptance = world.accept(run.get(0));
    world.withdraw(run.get(1));
    world.outcome(
        run.get(0),
        acceptance,
        world.end(CallFate.UNANSWERED, NotSentReason.NONE, RpcCode.UNAVAILABLE));
    world.outcome(run.get(1), acceptance, stopped());
    assertThat(world.settlement(run.get(1))).isEqualTo(new Settlement.Withdrawn(false));
  }

  @Test
  void aPauseHoldsWhatTheRunDidNotGetTo() {
    List<String> run = run(2);
    String acceptance = world.accept(run.get(0));
    world.command(new Command.PausePlugin(LanesWorld.EBS));
    world.outcome(
        run.get(0),
        acceptance,
        world.end(CallFate.UNANSWERED, NotSentReason.NONE, RpcCode.UNAVAILABLE));
    world.outcome(run.get(1), acceptance, stopped());
    assertThat(world.row(run.get(1)).place()).isInstanceOf(Place.Held.class);
    assertThat(world.calls()).isEmpty();
  }

  @Test
  void withoutASizeTheSpeedOfThePluginDecides() {
    world.policy("run", "0");
    String first = attach("v0", "n1");
    attach("v1", "n1");
    attach("v2", "n1");
    attach("v3", "n1");
    world.calls();
    String acceptance = world.accept(first);
    world.outcome(first, acceptance, took(Duration.ofMillis(400)));
    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1, CP ext-v2 i-1 @n1");
  }

  @Test
  void aSlowPluginGetsOneCallPerRecord() {
    world.policy("run", "0");
    String first = attach("v0", "n1");
    attach("v1", "n1");
    attach("v2", "n1");
    world.calls();
    String acceptance = world.accept(first);
    world.outcome(first, acceptance, took(Duration.ofMillis(700)));
    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1");
  }

  @Test
  void aRunLeavesEachCallMostOfItsTime() {
    world.policy("run", "0").policy("rpc-timeout", "1s");
    String first = attach("v0", "n1");
    attach("v1", "n1");
    attach("v2", "n1");
    attach("v3", "n1");
    world.calls();
    String acceptance = world.accept(first);
    world.outcome(first, acceptance, took(Duration.ofMillis(100)));
    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1, CP ext-v2 i-1 @n1");
  }

  @Test
  void callsThatTheRunDidNotGetToHaveNotHadTheirTurns() {
    String first = attach("v0", "n1");
    String hangs = world.detach("v1", "n1");
    List<String> stopped = new ArrayList<>();
    stopped.add(attach("v2", "n1"));
    stopped.add(world.detach("v3", "n1"));
    stopped.add(attach("v4", "n1"));
    world.detach("v5", "n1");
    world.ok(first);
    world.calls();
    String acceptance = world.accept(hangs);
    world.outcome(
        hangs, acceptance, world.end(CallFate.UNANSWERED, NotSentReason.NONE, RpcCode.UNAVAILABLE));
    stopped.forEach(request -> world.outcome(request, acceptance, stopped()));
    assertThat(world.calls())
        .containsExactly(
            "CP ext-v2 i-1 @n1, CU ext-v3 i-1 @n1, CP ext-v4 i-1 @n1, CU ext-v5 i-1 @n1");
  }

  @Test
  void onlyOneCallOfARunAsksTheNextInstance() {
    List<String> run = run(3);
    String acceptance = world.accept(run.get(0));
    for (String request : run) {
      world.outcome(
          request,
          acceptance,
          world.end(CallFate.NOT_SENT, NotSentReason.INCARNATION, RpcCode.FAILED_PRECONDITION));
    }
    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n2");
  }

  @Test
  void aSizeThatWasToldLeavesEachCallMostOfItsTimeToo() {
    world.policy("rpc-timeout", "1s");
    String first = attach("v0", "n1");
    attach("v1", "n1");
    attach("v2", "n1");
    attach("v3", "n1");
    world.calls();
    String acceptance = world.accept(first);
    world.outcome(first, acceptance, took(Duration.ofMillis(100)));
    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1, CP ext-v2 i-1 @n1");
  }

  @Test
  void aRunEndsBeforeItsRecordIsTooLarge() {
    String first = attach("v0", "n1");
    for (int i = 1; i <= 3; i++) {
      world.enqueue(
          LanesWorld.EBS,
          LanesWorld.carrying(
              LanesWorld.call(CsiCall.CONTROLLER_PUBLISH, "v" + i, "n1"),
              Map.of("large", "x".repeat(140_000))),
          true);
    }
    world.calls();
    world.ok(first);
    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1, CP ext-v2 i-1 @n1");
  }

  // ---- words of the tests

  /** An open run of so many calls for v1, v2 and so on. */
  private List<String> run(int calls) {
    String first = attach("v0", "n1");
    List<String> run = new ArrayList<>();
    for (int i = 1; i <= calls; i++) {
      run.add(attach("v" + i, "n1"));
    }
    world.ok(first);
    assertThat(world.attempt(run.get(0)).work().calls()).hasSize(calls);
    world.effects();
    return run;
  }

  private List<String> attaches(int calls) {
    List<String> requests = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      requests.add(attach("v" + i, "n1"));
    }
    return requests;
  }

  private String attach(String volume, String node) {
    return world.attach(volume, node);
  }

  private CallEnd ok() {
    return answered(RpcCode.OK);
  }

  private CallEnd answered(RpcCode code) {
    return world.end(CallFate.ANSWERED, NotSentReason.NONE, code);
  }

  private CallEnd stopped() {
    return world.end(CallFate.NOT_SENT, NotSentReason.RUN_STOPPED, RpcCode.ABORTED);
  }

  private CallEnd took(Duration time) {
    CallEnd ok = ok();
    return new CallEnd(
        ok.fate(),
        ok.notSent(),
        ok.code(),
        ok.message(),
        ok.publishContext(),
        ok.startedAt().minus(time),
        ok.endedAt());
  }
}
