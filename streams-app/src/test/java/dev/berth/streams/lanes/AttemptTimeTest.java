package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.schemas.topics.Retention;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.lanes.LanesEffect.Dropped.Cause;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AttemptTimeTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private final LanesWorld world = new LanesWorld().policy("rpc-timeout", "15s");

  @Test
  void aLaneGoesOnOnlyWhenTimeAllowedAndMarginHavePassedSinceTheAcceptanceWasRead() {
    world.policy("settle-margin", "5s");
    String first = world.attach("v1", "n1");
    world.attach("v2", "n2");
    world.advance(Duration.ofSeconds(7));
    world.accept(world.attempt(first).work(), TIMEOUT);
    world.effects();

    world.advance(Duration.ofSeconds(20).minus(MILLI));
    assertThat(world.calls()).isEmpty();
    world.advance(MILLI);
    assertThat(world.calls()).containsExactly("CP ext-v2 i-2 @n1");
    assertThat(world.held(first))
        .extracting("hold.code", "hold.rpcCode", "mayHaveEffect")
        .containsExactly(HoldCode.TIMEOUT, RpcCode.DEADLINE_EXCEEDED, true);
  }

  @Test
  void aWorkerThatAllowsItselfMoreIsWaitedForAndLessIsNotBelieved() {
    String longer = world.attach("v1", "n1");
    world.accept(world.attempt(longer).work(), Duration.ofSeconds(40));
    world.advance(Duration.ofSeconds(40).minus(MILLI));
    assertThat(world.row(longer).place()).isInstanceOf(Place.Open.class);
    world.advance(MILLI);
    assertThat(world.row(longer).place()).isInstanceOf(Place.Held.class);

    world.advance(SECOND);
    world.accept(world.attempt(longer).work(), Duration.ZERO);
    world.advance(TIMEOUT.minus(MILLI));
    assertThat(world.row(longer).place()).isInstanceOf(Place.Open.class);
  }

  @Test
  void anOutcomeOfAClosedAttemptIsDropped() {
    String attach = world.attach("v1", "n1");
    Work first = world.attempt(attach).work();
    String acceptance = world.accept(first, TIMEOUT);
    world.advance(TIMEOUT.plus(SECOND));
    world.outcome(first, acceptance, ok());

    assertThat(world.dropped()).containsExactly(Cause.OUTCOME_OF_NO_OPEN_ATTEMPT);
    assertThat(world.row(attach).place()).isInstanceOf(Place.Open.class);
    assertThat(world.attempt(attach).id()).isNotEqualTo(first.attemptId());
  }

  @Test
  void anAcceptanceOfAClosedAttemptIsDropped() {
    String attach = world.attach("v1", "n1");
    Work work = world.attempt(attach).work();
    world.ok(attach);
    world.accept(work, TIMEOUT);
    assertThat(world.dropped()).containsExactly(Cause.ACCEPTANCE_OF_NO_OPEN_ATTEMPT);
  }

  @Test
  void afterAChangeOfOwnerAnOpenCallGetsItsFullTimeAgain() {
    String attach = world.attach("v1", "n1");
    world.accept(world.attempt(attach).work(), TIMEOUT);
    world.advance(Duration.ofSeconds(14));
    world.ownerChanged();
    world.advance(TIMEOUT.minus(MILLI));
    assertThat(world.row(attach).place()).isInstanceOf(Place.Open.class);
    world.advance(MILLI);
    assertThat(world.row(attach).place()).isInstanceOf(Place.Held.class);
  }

  @Test
  void aClockThatIsSetDoesNotEndAnOpenCallEarlyNorLate() {
    String attach = world.attach("v1", "n1");
    world.accept(world.attempt(attach).work(), TIMEOUT);
    world.clockSet(Duration.ofHours(1));
    world.advance(TIMEOUT.minus(MILLI));
    assertThat(world.row(attach).place()).isInstanceOf(Place.Open.class);
    world.clockSet(Duration.ofHours(-2));
    world.advance(TIMEOUT.minus(MILLI));
    assertThat(world.row(attach).place()).isInstanceOf(Place.Open.class);
    world.advance(MILLI);
    assertThat(world.row(attach).place()).isInstanceOf(Place.Held.class);
  }

  @Test
  void anOutcomeReportedInTimeByTheOldWorkerSettlesTheCallAndItIsNotMadeAgain() {
    String attach = world.attach("v1", "n1");
    String acceptance = world.accept(world.attempt(attach).work(), TIMEOUT);
    world.advance(Duration.ofSeconds(2));
    world.ownerChanged();
    world.advance(Duration.ofSeconds(10));
    world.outcome(attach, acceptance, ok());
    assertThat(world.settled(attach)).isTrue();
    assertThat(world.calls()).hasSize(1);
  }

  @Test
  void anAttemptThatNobodyAcceptsStaysOpenAndIsShownAfterHalfAMinute() {
    String attach = world.attach("v1", "n1");
    world.settlements(attach);
    world.advance(Duration.ofSeconds(30).minus(MILLI));
    assertThat(world.settlements(attach)).isEmpty();
    world.advance(MILLI);
    assertThat(world.held(attach).hold())
        .extracting("code", "attempts", "nextRetry", "stuck")
        .containsExactly(HoldCode.NO_WORKER, 0, null, false);

    world.advance(Duration.ofDays(10));
    assertThat(world.settlements(attach)).isEmpty();
    assertThat(world.calls()).hasSize(1);
    world.ok(attach);
    assertThat(world.settled(attach)).isTrue();
  }

  @Test
  void whatTheTopicHasLostIsDispatchedAgainUnderTheSameAttemptId() {
    String attach = world.attach("v1", "n1");
    Work first = world.attempt(attach).work();
    world.effects();
    world.advance(Attempt.LOST_AFTER.minus(MILLI));
    assertThat(world.calls()).isEmpty();
    world.advance(MILLI);
    Instant again = LanesWorld.START.plus(Attempt.LOST_AFTER);
    assertThat(world.effects()).contains(new LanesEffect.Dispatch(first.dispatchedAt(again)));
    world.advance(Duration.ofDays(1));
    assertThat(world.calls()).isEmpty();
  }

  @Test
  void aWorkRecordIsLostOnlyWhenItsTopicCannotHoldItAnyMore() {
    Retention retention = Topic.PLUGIN_WORK.retention();
    assertThat(retention).isInstanceOf(Retention.ByAge.class);
    assertThat(((Retention.ByAge) retention).longest()).isLessThan(Attempt.LOST_AFTER);
    assertThat(Topic.NODE_WORK.retention()).isEqualTo(retention);
  }

  @Test
  void whatIsSaidOfAnAttemptIsKeptAsLongAsItsWork() {
    assertThat(Topic.WORK_ACCEPTANCES.retention()).isEqualTo(Topic.PLUGIN_WORK.retention());
    assertThat(Topic.WORK_OUTCOMES.retention()).isEqualTo(Topic.PLUGIN_WORK.retention());
  }

  @Test
  void anOutcomeThatOvertakesItsAcceptanceSettles() {
    String attach = world.attach("v1", "n1");
    Work work = world.attempt(attach).work();
    world.outcome(work, "acc-early", ok());
    assertThat(world.settled(attach)).isTrue();
    world.decide(new LanesEvent.Accepted(work.attemptId(), "acc-early", "ebs", "w", TIMEOUT));
    assertThat(world.dropped()).containsExactly(Cause.ACCEPTANCE_OF_NO_OPEN_ATTEMPT);
  }

  @Test
  void anOutcomeUnderAnotherAcceptanceThanTheOpenOneIsDropped() {
    String attach = world.attach("v1", "n1");
    world.accept(attach);
    world.outcome(attach, "acc-other", ok());
    assertThat(world.dropped()).containsExactly(Cause.OUTCOME_OF_OTHER_ACCEPTANCE);
    assertThat(world.settled(attach)).isFalse();
  }

  @Test
  void anOutcomeOfAnotherCallIsDropped() {
    String attach = world.attach("v1", "n1");
    String acceptance = world.accept(attach);
    String attempt = world.attempt(attach).id();
    world.decide(
        new LanesEvent.OutcomeArrived(attempt, acceptance, "ebs", "default/v9#9", 0, ok()));
    world.decide(new LanesEvent.OutcomeArrived(attempt, acceptance, "ebs", attach, 1, ok()));
    assertThat(world.dropped())
        .containsExactly(Cause.OUTCOME_OF_OTHER_CALL, Cause.OUTCOME_OF_OTHER_CALL);
  }

  @Test
  void anAttemptAcceptedTwiceKeepsItsLaneUntilBothCallsAreOver() {
    String attach = world.attach("v1", "n1");
    world.attach("v2", "n2");
    Work work = world.attempt(attach).work();
    String first = world.accept(work, TIMEOUT);
    String second = world.accept(work, TIMEOUT);
    world.calls();
    world.outcome(work, first, ok());
    world.outcome(work, first, ok());
    assertThat(world.dropped()).containsExactly(Cause.OUTCOME_REPEATED);
    assertThat(world.calls()).isEmpty();

    world.outcome(work, second, failed(RpcCode.ABORTED));
    assertThat(world.settled(attach)).as("an OK settles it").isTrue();
    assertThat(world.calls()).containsExactly("CP ext-v2 i-2 @n1");
  }

  @Test
  void ofTwoEndsAnOkCountsWhicheverCameFirst() {
    String attach = world.attach("v1", "n1");
    Work work = world.attempt(attach).work();
    String first = world.accept(work, TIMEOUT);
    String second = world.accept(work, TIMEOUT);
    world.outcome(work, first, failed(RpcCode.INVALID_ARGUMENT));
    world.settlements(attach);
    world.outcome(work, second, ok());
    assertThat(world.settlement(attach))
        .isEqualTo(new Settlement.Done(RpcCode.OK, false, Map.of()));
  }

  @Test
  void anAttemptAcceptedTwiceWaitsOutTheCallThatIsNotHeardOf() {
    String attach = world.attach("v1", "n1");
    world.attach("v2", "n2");
    Work work = world.attempt(attach).work();
    String first = world.accept(work, TIMEOUT);
    world.advance(Duration.ofSeconds(5));
    world.accept(work, TIMEOUT);
    world.outcome(work, first, failed(RpcCode.ABORTED));
    world.settlements(attach);
    world.calls();
    world.advance(TIMEOUT.minus(MILLI));
    assertThat(world.calls()).isEmpty();
    world.advance(MILLI);
    assertThat(world.held(attach).hold().code()).isEqualTo(HoldCode.TIMEOUT);
    assertThat(world.calls()).containsExactly("CP ext-v2 i-2 @n1");
  }

  @Test
  void theSameAcceptanceReadTwiceIsOne() {
    String attach = world.attach("v1", "n1");
    Work work = world.attempt(attach).work();
    String acceptance = world.accept(work, TIMEOUT);
    world.advance(Duration.ofSeconds(10));
    world.decide(new LanesEvent.Accepted(work.attemptId(), acceptance, "ebs", "worker", TIMEOUT));
    assertThat(world.attempt(attach).acceptances()).hasSize(1);
    world.advance(Duration.ofSeconds(5));
    assertThat(world.row(attach).place()).isInstanceOf(Place.Held.class);
  }

  @Test
  void aPluginThatHangsCostsItsOwnLaneOnly() {
    world.controller("gce", "n3", true);
    String hangs = world.attach("v1", "n1");
    world.accept(world.attempt(hangs).work(), TIMEOUT);
    world.calls();
    world.enqueue("gce", LanesWorld.call(CsiCall.CONTROLLER_PUBLISH, "g1", "n1"), true);
    assertThat(world.calls()).containsExactly("CP ext-g1 i-1 @n3");
  }

  @Test
  void attemptIdsAreUniqueAlsoAfterTheApplicationWasReset() {
    String before = world.attempt(world.attach("v1", "n1")).id();
    LanesWorld again = new LanesWorld();
    again.advance(SECOND);
    String after = again.attempt(again.attach("v1", "n1")).id();
    assertThat(after).isNotEqualTo(before);
  }

  private CallEnd ok() {
    return failed(RpcCode.OK);
  }

  private CallEnd failed(RpcCode code) {
    return new CallEnd(
        CallFate.ANSWERED, NotSentReason.NONE, code, "", Map.of(), world.now(), world.now());
  }

  @Test
  void anOkWithoutAnAnswerIsNotBelieved() {
    String attach = world.attach("v1", "n1");
    world.settlements(attach);
    world.unanswered(attach, CallFate.UNANSWERED, NotSentReason.NONE, RpcCode.OK);
    assertThat(world.settlement(attach))
        .isInstanceOfSatisfying(
            Settlement.Held.class,
            held -> assertThat(held.hold().rpcCode()).isEqualTo(RpcCode.UNKNOWN));
  }
}
