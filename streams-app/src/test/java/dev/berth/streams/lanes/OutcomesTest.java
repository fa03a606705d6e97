package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.NotSentReason;
import dev.berth.records.PluginRole;
import dev.berth.records.RejectCode;
import dev.berth.records.RpcCode;
import dev.berth.streams.work.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutcomesTest {
  private final LanesWorld world = new LanesWorld();

  @Test
  void anOkSettlesAnAttachWithItsPublishContext() {
    String attach = world.attach("v1", "n1");
    world.settlements(attach);
    String acceptance = world.accept(attach);
    world.outcome(
        attach,
        acceptance,
        new CallEnd(
            CallFate.ANSWERED,
            NotSentReason.NONE,
            RpcCode.OK,
            "",
            Map.of("device", "/dev/xvdf"),
            world.now(),
            world.now()));
    assertThat(world.settlement(attach))
        .isEqualTo(new Settlement.Done(RpcCode.OK, false, Map.of("device", "/dev/xvdf")));
  }

  @ParameterizedTest
  @EnumSource(
      value = RpcCode.class,
      names = {"ABORTED", "CANCELLED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "UNAVAILABLE"})
  void anAttachThatWasAnsweredAndIsTakenBackOwesADetach(RpcCode code) {
    String attach = world.attach("v1", "n1");
    world.settlements(attach);
    world.answer(attach, code);
    world.settlements(attach);

    world.withdraw(attach);

    assertThat(world.settlement(attach)).isEqualTo(new Settlement.Withdrawn(true));
  }

  @Test
  void anAttachThatNeverReachedThePluginOwesNothing() {
    String attach = world.attach("v1", "n1");
    world.settlements(attach);
    world.unanswered(attach, CallFate.UNREACHED, NotSentReason.NONE, RpcCode.UNAVAILABLE);
    world.unanswered(attach, CallFate.UNREACHED, NotSentReason.NONE, RpcCode.UNAVAILABLE);
    world.settlements(attach);

    world.withdraw(attach);

    assertThat(world.settlement(attach)).isEqualTo(new Settlement.Withdrawn(false));
  }

  @ParameterizedTest
  @EnumSource(
      value = RpcCode.class,
      names = {
        "INVALID_ARGUMENT",
        "NOT_FOUND",
        "PERMISSION_DENIED",
        "UNAUTHENTICATED",
        "OUT_OF_RANGE",
        "ALREADY_EXISTS"
      })
  void aDefiniteErrorRejectsAnAttachThatMayExist(RpcCode code) {
    assertThat(afterAttach(code))
        .isEqualTo(new Settlement.Failed(code, "it says " + code, RejectCode.PLUGIN_ERROR, true));
    assertThat(world.calls()).hasSize(1);
  }

  @Test
  void aPluginThatDoesNotKnowTheCallCannotHaveAttached() {
    assertThat(afterAttach(RpcCode.UNIMPLEMENTED))
        .isEqualTo(
            new Settlement.Failed(
                RpcCode.UNIMPLEMENTED, "it says UNIMPLEMENTED", RejectCode.PLUGIN_ERROR, false));
    assertThat(world.state().scan(LaneTables.SLOTS, "")).isEmpty();
  }

  @Test
  void anAttachThatMayHaveBeenMadeBeforeKeepsItsSlotWhenThePluginNoLongerKnowsTheCall() {
    String attach = world.attach("v1", "n1");
    world.answer(attach, RpcCode.UNAVAILABLE);
    world.advance(Duration.ofSeconds(1));
    world.settlements(attach);

    world.answer(attach, RpcCode.UNIMPLEMENTED);

    assertThat(world.settlement(attach))
        .isEqualTo(
            new Settlement.Failed(
                RpcCode.UNIMPLEMENTED, "it says UNIMPLEMENTED", RejectCode.PLUGIN_ERROR, true));
    assertThat(world.state().scan(LaneTables.SLOTS, "")).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = RpcCode.class,
      names = {"INTERNAL", "UNKNOWN", "DATA_LOSS"})
  void theThirdUnclearAnswerRejectsAnAttach(RpcCode code) {
    String attach = world.attach("v1", "n1");
    world.answer(attach, code);
    world.advance(Duration.ofSeconds(1));
    world.answer(attach, RpcCode.UNAVAILABLE);
    world.advance(Duration.ofSeconds(2));
    world.answer(attach, code);
    world.advance(Duration.ofSeconds(4));
    world.settlements(attach);
    world.answer(attach, code);
    assertThat(world.settlement(attach))
        .isEqualTo(new Settlement.Failed(code, "it says " + code, RejectCode.PLUGIN_ERROR, true));
  }

  @Test
  void detachesBearUnclearAnswersForEver() {
    String detach = world.detach("v1", "n1");
    for (int i = 0; i < 5; i++) {
      world.answer(detach, RpcCode.INTERNAL);
      world.advance(Duration.ofMinutes(5));
    }
    assertThat(world.row(detach).budget().attempts()).isEqualTo(5);
  }

  @ParameterizedTest
  @EnumSource(
      value = RpcCode.class,
      names = {"UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "UNKNOWN"})
  void fourCodesLeaveAnAttachUncertain(RpcCode code) {
    assertThat(((Settlement.Held) afterAttach(code)).mayHaveEffect()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = RpcCode.class,
      names = {"ABORTED", "CANCELLED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "DATA_LOSS"})
  void otherRetriedCodesLeaveNoDoubt(RpcCode code) {
    Settlement.Held held = (Settlement.Held) afterAttach(code);
    assertThat(held.mayHaveEffect()).isFalse();
    assertThat(held.hold())
        .extracting("code", "rpcCode", "message")
        .containsExactly(HoldCode.CONTROLLER_ERROR, code, "it says " + code);
  }

  @Test
  void aDoubtStaysThroughLaterAnswers() {
    String attach = world.attach("v1", "n1");
    world.answer(attach, RpcCode.DEADLINE_EXCEEDED);
    world.advance(Duration.ofSeconds(1));
    world.settlements(attach);
    world.answer(attach, RpcCode.ABORTED);
    assertThat(world.held(attach).mayHaveEffect()).isTrue();
  }

  @Test
  void aCallWithoutAnAnswerIsUncertainWhateverItsCode() {
    String attach = world.attach("v1", "n1");
    world.unanswered(attach, CallFate.UNANSWERED, NotSentReason.NONE, RpcCode.CANCELLED);
    assertThat(world.row(attach).mayHaveEffect()).isTrue();
  }

  @Test
  void anExhaustedNodeRejectsForSlotsAndKeepsTheSlotUntilTheDetach() {
    world.nodeInstance(LanesWorld.EBS, "n1", "i-1", 2L);
    world.ok(world.attach("v1", "n1"));
    String second = world.attach("v2", "n1");
    world.settlements(second);
    world.nodeInstance(LanesWorld.EBS, "n1", "i-1", 1L);
    world.answer(second, RpcCode.RESOURCE_EXHAUSTED);
    assertThat(world.settlement(second))
        .isEqualTo(
            new Settlement.Failed(
                RpcCode.RESOURCE_EXHAUSTED, "it says RESOURCE_EXHAUSTED", RejectCode.SLOTS, true));
    assertThat(world.slots()).last().extracting(NodeSlots::inUse).isEqualTo(2L);

    world.ok(world.detach("v2", "n1"));
    assertThat(world.slots()).last().extracting(NodeSlots::inUse).isEqualTo(1L);
  }

  @Test
  void exhaustedWithFreeSlotsMeansTryLater() {
    world.nodeInstance(LanesWorld.EBS, "n1", "i-1", 5L);
    assertThat(afterAttach(RpcCode.RESOURCE_EXHAUSTED)).isInstanceOf(Settlement.Held.class);
  }

  @Test
  void notFoundMeansDetached() {
    assertThat(afterDetach(RpcCode.NOT_FOUND))
        .isEqualTo(new Settlement.Done(RpcCode.NOT_FOUND, false, Map.of()));
  }

  @Test
  void notFoundIsRetriedWhereThePolicySaysThatThePluginLies() {
    world.policy("unpublish-not-found", "retry");
    Settlement.Held held = (Settlement.Held) afterDetach(RpcCode.NOT_FOUND);
    assertThat(held.hold().code()).isEqualTo(HoldCode.CONTROLLER_ERROR);
    assertThat(held.mayHaveEffect()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = RpcCode.class,
      names = {"INVALID_ARGUMENT", "PERMISSION_DENIED", "UNAUTHENTICATED", "OUT_OF_RANGE"})
  void aDetachRefusedForGoodIsReportedAtOnceAndRetriedSlowly(RpcCode code) {
    Settlement.Held held = (Settlement.Held) afterDetach(code);
    assertThat(held.hold())
        .extracting("code", "attempts", "stuck", "nextRetry")
        .containsExactly(
            HoldCode.CONTROLLER_ERROR, 1, true, world.now().plus(Duration.ofMinutes(5)));
  }

  @Test
  void anUnimplementedDetachIsDoneWhenAttachIsNotAdvertisedAnyMore() {
    String detach = world.detach("v1", "n1");
    world.controller(LanesWorld.EBS, "n1", true, false);
    world.controller(LanesWorld.EBS, "n2", true, false);
    world.answer(detach, RpcCode.UNIMPLEMENTED);
    assertThat(world.settlement(detach))
        .isEqualTo(new Settlement.Done(RpcCode.UNIMPLEMENTED, false, Map.of()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatAPluginAdvertisesRightAfterAnUnimplementedDetachDecides(boolean attaches) {
    String detach = world.detach("v1", "n1");
    // What was last reported is the opposite.
    world.controller(LanesWorld.EBS, "n1", true, !attaches);
    world.controller(LanesWorld.EBS, "n2", true, !attaches);
    world.settlements(detach);
    String acceptance = world.accept(detach);

    world.outcome(
        detach,
        acceptance,
        new CallEnd(
            CallFate.ANSWERED,
            NotSentReason.NONE,
            RpcCode.UNIMPLEMENTED,
            "no",
            Map.of(),
            world.now(),
            world.now(),
            attaches));

    assertThat(world.settlement(detach))
        .isInstanceOf(attaches ? Settlement.Held.class : Settlement.Done.class);
  }

  @Test
  void anUnimplementedDetachIsReportedAtOnceWhileAttachIsAdvertised() {
    Settlement.Held held = (Settlement.Held) afterDetach(RpcCode.UNIMPLEMENTED);
    assertThat(held.hold())
        .extracting("code", "stuck")
        .containsExactly(HoldCode.UNIMPLEMENTED, true);
  }

  @Test
  void anUnimplementedDetachFreesNothingWhenNoControllerIsLeftToAsk() {
    String detach = world.detach("v1", "n1");
    world.instanceRemoved(LanesWorld.EBS, "n1", PluginRole.CONTROLLER);
    world.instanceRemoved(LanesWorld.EBS, "n2", PluginRole.CONTROLLER);
    world.answer(detach, RpcCode.UNIMPLEMENTED);
    assertThat(world.held(detach).hold().stuck()).isTrue();
  }

  @Test
  void aStuckUnimplementedDetachIsDoneOnceTheCapabilityIsGone() {
    String detach = world.detach("v1", "n1");
    world.answer(detach, RpcCode.UNIMPLEMENTED);
    world.settlements(detach);
    world.controller(LanesWorld.EBS, "n1", true, false);
    world.answer(detach, RpcCode.UNIMPLEMENTED);
    world.settlements(detach);
    world.controller(LanesWorld.EBS, "n2", true, false);
    assertThat(world.settlement(detach)).isInstanceOf(Settlement.Done.class);
  }

  @Test
  void deadlineExceededIsShownAsTimeout() {
    Settlement.Held held = (Settlement.Held) afterDetach(RpcCode.DEADLINE_EXCEEDED);
    assertThat(held.hold().code()).isEqualTo(HoldCode.TIMEOUT);
  }

  @ParameterizedTest
  @EnumSource(
      value = CsiCall.class,
      names = {"NODE_UNPUBLISH", "NODE_UNSTAGE"})
  void notFoundOnTheWayDownIsDone(CsiCall rpc) {
    String call = world.onNode(rpc, "v1", "n1");
    world.answer(call, RpcCode.NOT_FOUND);
    assertThat(world.settlement(call))
        .isEqualTo(new Settlement.Done(RpcCode.NOT_FOUND, false, Map.of()));
  }

  @ParameterizedTest
  @EnumSource(
      value = CsiCall.class,
      names = {"NODE_STAGE", "NODE_PUBLISH"})
  void aMountIsNeverRejectedButRetried(CsiCall rpc) {
    String call = world.onNode(rpc, "v1", "n1");
    world.answer(call, RpcCode.INVALID_ARGUMENT);
    Settlement.Held held = world.held(call);
    assertThat(held.hold())
        .extracting("code", "attempts", "stuck")
        .containsExactly(HoldCode.NODE_ERROR, 1, false);
    assertThat(held.mayHaveEffect()).isTrue();
  }

  @Test
  void workOfAnotherIncarnationIsTriedAgainWithThePresentOne() {
    String call = world.onNode(CsiCall.NODE_UNPUBLISH, "v1", "n1");
    world.unanswered(call, CallFate.NOT_SENT, NotSentReason.INCARNATION, RpcCode.UNAVAILABLE);
    assertThat(world.held(call).hold().code()).isEqualTo(HoldCode.NODE_ERROR);
    assertThat(world.row(call).mayHaveEffect()).isFalse();
  }

  @Test
  void anAttachThatTheWorkerCannotSendIsRejectedWithoutEffect() {
    String attach = world.attach("v1", "n1");
    world.settlements(attach);
    world.unanswered(attach, CallFate.NOT_SENT, NotSentReason.INVALID, RpcCode.INVALID_ARGUMENT);
    assertThat(world.settlement(attach))
        .isEqualTo(
            new Settlement.Failed(
                RpcCode.INVALID_ARGUMENT,
                "it says INVALID_ARGUMENT",
                RejectCode.PLUGIN_ERROR,
                false));
  }

  @Test
  void aDetachThatTheWorkerCannotSendNeedsAnOperator() {
    String detach = world.detach("v1", "n1");
    world.unanswered(detach, CallFate.NOT_SENT, NotSentReason.INVALID, RpcCode.INVALID_ARGUMENT);
    assertThat(world.held(detach).hold().stuck()).isTrue();
  }

  @Test
  void abortedIsWaitedOutWithBackoffAndNotCounted() {
    world.policy("max-attempts", "2");
    String detach = world.detach("v1", "n1");
    for (int wait : new int[] {1, 2, 4, 8}) {
      world.answer(detach, RpcCode.ABORTED);
      assertThat(world.held(detach).hold())
          .extracting("attempts", "stuck", "nextRetry")
          .containsExactly(0, false, world.now().plusSeconds(wait));
      world.advance(Duration.ofSeconds(wait));
    }
  }

  @Test
  void abortedCountsOnceItHasLastedHalfAnHour() {
    world.policy("max-attempts", "1");
    String detach = world.detach("v1", "n1");
    world.answer(detach, RpcCode.ABORTED);
    world.advance(Duration.ofMinutes(30).minusMillis(1));
    world.settlements(detach);
    world.answer(detach, RpcCode.ABORTED);
    assertThat(world.held(detach).hold().stuck()).isFalse();
    world.advance(Duration.ofMinutes(5));
    world.settlements(detach);
    world.answer(detach, RpcCode.ABORTED);
    assertThat(world.held(detach).hold()).extracting("attempts", "stuck").containsExactly(1, true);
  }

  @Test
  void halfAnHourIsEnough() {
    world.policy("max-attempts", "1");
    String detach = world.detach("v1", "n1");
    world.answer(detach, RpcCode.ABORTED);
    world.advance(Duration.ofMinutes(30));
    world.settlements(detach);
    world.answer(detach, RpcCode.ABORTED);
    assertThat(world.held(detach).hold().stuck()).isTrue();
  }

  @Test
  void anotherAnswerStartsThePatienceAnew() {
    world.policy("max-attempts", "2");
    String detach = world.detach("v1", "n1");
    world.answer(detach, RpcCode.ABORTED);
    world.advance(Duration.ofMinutes(20));
    world.settlements(detach);
    world.answer(detach, RpcCode.UNAVAILABLE);
    assertThat(world.held(detach).hold().attempts()).isEqualTo(1);
    world.advance(Duration.ofMinutes(20));
    world.settlements(detach);
    world.answer(detach, RpcCode.ABORTED);
    assertThat(world.held(detach).hold().attempts()).isEqualTo(1);
  }

  @Test
  void retriesBackOffExponentiallyAndAreCapped() {
    world.policy("max-attempts", "100");
    String detach = world.detach("v1", "n1");
    for (int wait : List.of(1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300)) {
      world.answer(detach, RpcCode.UNAVAILABLE);
      assertThat(world.held(detach).hold().nextRetry()).isEqualTo(world.now().plusSeconds(wait));
      world.advance(Duration.ofSeconds(wait));
    }
  }

  @Test
  void jitterIsTheSameForTheSameCallAndFailureAndSpreadsOthers() {
    assertThat(Retries.spread("default/v1#1", 3)).isEqualTo(Retries.spread("default/v1#1", 3));
    List<Double> spreads =
        IntStream.range(0, 1000).mapToObj(i -> Retries.spread("default/v" + i + "#1", 1)).toList();
    assertThat(spreads).allSatisfy(spread -> assertThat(spread).isBetween(0.0, 1.0));
    assertThat(spreads.stream().mapToDouble(d -> d).average().orElseThrow()).isBetween(0.45, 0.55);
  }

  private Settlement.Body afterAttach(RpcCode code) {
    String attach = world.attach("v1", "n1");
    world.settlements(attach);
    world.answer(attach, code);
    return world.settlement(attach);
  }

  private Settlement.Body afterDetach(RpcCode code) {
    String detach = world.detach("v1", "n1");
    world.answer(detach, code);
    return world.settlement(detach);
  }
}
