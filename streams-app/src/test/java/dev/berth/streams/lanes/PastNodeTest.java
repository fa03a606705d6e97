package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.streams.lanes.LanesEffect.Dropped.Cause;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Node work that nobody has accepted when its node is past the incarnation it was meant for. */
class PastNodeTest {
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration TIME_AND_MARGIN = Duration.ofSeconds(20);

  private final LanesWorld world =
      new LanesWorld().policy("rpc-timeout", "15s").policy("settle-margin", "5s");

  @Test
  void itEndsWhenAWorkerThatAcceptedItJustBeforeHadToBeDone() {
    String call = world.onNode(CsiCall.NODE_UNPUBLISH, "v1", "n1");
    world.advance(Duration.ofHours(1));
    world.settlements(call);

    world.node("n1", NodeStatus.DOWN);
    world.advance(TIME_AND_MARGIN.minus(MILLI));
    assertThat(world.settlements(call)).isEmpty();
    world.advance(MILLI);

    Settlement.Held held = world.held(call);
    assertThat(held.hold())
        .extracting("code", "message", "attempts")
        .containsExactly(
            HoldCode.TIMEOUT,
            "nobody has accepted it, and incarnation 1 of node n1, which it was meant for, is over",
            1);
    assertThat(held.mayHaveEffect()).isTrue();
    world.advance(Duration.ofMinutes(1));
    assertThat(world.settlements(call))
        .last()
        .extracting("hold.code")
        .isEqualTo(HoldCode.NODE_LOST);
  }

  @Test
  void whatWasTakenBackIsWithdrawn() {
    String call = world.onNode(CsiCall.NODE_UNPUBLISH, "v1", "n1");
    world.withdraw(call);
    assertThat(world.settled(call)).isFalse();

    world.node("n1", NodeStatus.GONE);
    world.advance(TIME_AND_MARGIN);

    assertThat(world.settled(call)).isTrue();
  }

  @Test
  void itIsTriedAgainWithTheIncarnationThatTheNodeCameBackWith() {
    String call = world.onNode(CsiCall.NODE_UNPUBLISH, "v1", "n1");
    world.node("n1", NodeStatus.DOWN);
    world.node("n1", NodeStatus.READY);
    world.calls();

    world.advance(TIME_AND_MARGIN.plusMinutes(1));

    assertThat(world.calls()).hasSize(1);
    assertThat(world.attempt(call).work().nodeIncarnation()).isEqualTo(2);
    assertThat(world.attempt(call).timed()).isFalse();
  }

  @Test
  void aNodeThatIsOnlyAwayKeepsItsWork() {
    String call = world.onNode(CsiCall.NODE_UNPUBLISH, "v1", "n1");
    world.node("n1", NodeStatus.DISCONNECTED);
    world.advance(Duration.ofDays(1));
    world.node("n1", NodeStatus.READY);
    world.advance(Duration.ofDays(1));

    world.ok(call);

    assertThat(world.settled(call)).isTrue();
  }

  @Test
  void anAcceptanceThatIsReadMeanwhileCountsAloneAndHasItsFullTime() {
    String call = world.onNode(CsiCall.NODE_UNPUBLISH, "v1", "n1");
    world.node("n1", NodeStatus.DOWN);
    world.advance(Duration.ofSeconds(10));
    world.accept(world.attempt(call).work(), Duration.ofSeconds(15));

    world.advance(TIME_AND_MARGIN.minus(MILLI));
    assertThat(world.row(call).place()).isInstanceOf(Place.Open.class);
    world.advance(MILLI);

    assertThat(world.row(call).place()).isInstanceOf(Place.Held.class);
  }

  @Test
  void anOutcomeThatOvertakesItsAcceptanceSettles() {
    String call = world.onNode(CsiCall.NODE_UNPUBLISH, "v1", "n1");
    Work work = world.attempt(call).work();
    world.node("n1", NodeStatus.DOWN);

    world.outcome(work, "acc-early", world.end(CallFate.ANSWERED, NotSentReason.NONE, RpcCode.OK));

    assertThat(world.settled(call)).isTrue();
    assertThat(world.state().get(LaneTables.ATTEMPTS, work.attemptId())).isNull();
  }

  @Test
  void whatTheWorkerOfTheNodeThatIsBackMakesOfItIsDropped() {
    String call = world.onNode(CsiCall.NODE_UNPUBLISH, "v1", "n1");
    Work old = world.attempt(call).work();
    world.node("n1", NodeStatus.DOWN);
    world.advance(TIME_AND_MARGIN);
    world.node("n1", NodeStatus.READY);

    String acceptance = world.accept(old, Duration.ofSeconds(15));
    world.outcome(
        old,
        acceptance,
        world.end(CallFate.NOT_SENT, NotSentReason.INCARNATION, RpcCode.FAILED_PRECONDITION));

    assertThat(world.dropped())
        .containsExactly(Cause.ACCEPTANCE_OF_NO_OPEN_ATTEMPT, Cause.OUTCOME_OF_NO_OPEN_ATTEMPT);
  }

  @Test
  void aNewOwnerGivesItItsFullTimeAgain() {
    String call = world.onNode(CsiCall.NODE_UNPUBLISH, "v1", "n1");
    world.node("n1", NodeStatus.DOWN);
    world.advance(Duration.ofSeconds(10));

    world.ownerChanged();

    world.advance(TIME_AND_MARGIN.minus(MILLI));
    assertThat(world.row(call).place()).isInstanceOf(Place.Open.class);
    world.advance(MILLI);
    assertThat(world.row(call).place()).isInstanceOf(Place.Held.class);
  }

  @Test
  void nobodyIsShownToHaveAcceptedIt() {
    world.onNode(CsiCall.NODE_UNPUBLISH, "v1", "n1");
    world.node("n1", NodeStatus.DOWN);

    assertThat(world.status().open()).hasSize(1);
    assertThat(world.status().open().get(0).acceptanceId()).isNull();
  }
}
