package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestsTest {
  private final LanesWorld world = new LanesWorld();

  // ---- asking

  @Test
  void theSameRequestAgainIsAnsweredAsBeforeAndNotMadeTwice() {
    String attach = world.attach("v1", "n1");
    world.effects();
    world.request(
        attach,
        LanesWorld.EBS,
        new LaneRequest.Enqueue(LanesWorld.call(CsiCall.CONTROLLER_PUBLISH, "v1", "n1"), true));
    assertThat(world.settlement(attach)).isEqualTo(new Settlement.Accepted());
    assertThat(world.calls()).isEmpty();
    assertThat(world.status()).extracting("queued", "inFlight").containsExactly(0L, 1L);
  }

  @Test
  void aHeldRequestAskedAgainSaysItsHoldAgain() {
    String detach = world.detach("v1", "n1");
    world.answer(detach, RpcCode.ABORTED);
    Settlement.Held held = world.held(detach);
    world.request(
        detach,
        LanesWorld.EBS,
        new LaneRequest.Enqueue(LanesWorld.call(CsiCall.CONTROLLER_UNPUBLISH, "v1", "n1"), false));
    assertThat(world.held(detach)).isEqualTo(held);
  }

  @Test
  void onlyACallThatTakesASlotIsConfirmed() {
    assertThat(world.settlements(world.attach("v1", "n1")))
        .containsExactly(new Settlement.Accepted());
    assertThat(world.settlements(world.detach("v2", "n1"))).isEmpty();
  }

  @Test
  void aCallInThePlaceOfOneThatWasTakenBackGoesOnWithItsBudget() {
    String before =
        world.enqueue(LanesWorld.EBS, LanesWorld.call(CsiCall.NODE_STAGE, "v1", "n1"), false);
    world.answer(before, RpcCode.UNAVAILABLE);
    world.effects();
    world.advance(Duration.ofSeconds(1));
    world.answer(before, RpcCode.UNAVAILABLE);
    Hold hold = world.held(before).hold();
    world.withdraw(before);
    String after = "default/v1#7";

    world.request(
        after,
        LanesWorld.EBS,
        new LaneRequest.Enqueue(
            LanesWorld.call(CsiCall.NODE_STAGE, "v1", "n1"), false, false, hold, null));
    world.answer(after, RpcCode.UNAVAILABLE);

    assertThat(world.held(after).hold())
        .extracting(Hold::attempts, Hold::firstFailure, Hold::nextRetry)
        .containsExactly(3, hold.firstFailure(), world.now().plusSeconds(4));
  }

  @Test
  void patienceWithAbortedGoesOnTooInThePlaceOfACallThatWasTakenBack() {
    Instant first = world.now();
    Hold aborted =
        new Hold(HoldCode.NODE_ERROR, "busy", RpcCode.ABORTED, 0, first, first, first, false);
    world.advance(Duration.ofMinutes(30));

    world.request(
        "default/v1#7",
        LanesWorld.EBS,
        new LaneRequest.Enqueue(
            LanesWorld.call(CsiCall.NODE_STAGE, "v1", "n1"), false, false, aborted, null));
    world.answer("default/v1#7", RpcCode.ABORTED);

    assertThat(world.held("default/v1#7").hold().attempts()).isEqualTo(1);
  }

  // ---- taking back

  @Test
  void aQueuedCallIsTakenBackWithoutEffect() {
    world.attach("v0", "n1");
    String attach = world.attach("v1", "n1");
    world.effects();
    world.withdraw(attach);
    assertThat(world.settlement(attach)).isEqualTo(new Settlement.Withdrawn(false));
    assertThat(world.settled(attach)).isTrue();
    assertThat(world.slots()).last().extracting(NodeSlots::inUse).isEqualTo(1L);
  }

  @Test
  void aWaitingCallThatMayHaveHadItsEffectKeepsItsSlotWhenTakenBack() {
    String attach = world.attach("v1", "n1");
    world.answer(attach, RpcCode.UNAVAILABLE);
    world.effects();
    world.withdraw(attach);
    assertThat(world.settlement(attach)).isEqualTo(new Settlement.Withdrawn(true));
    assertThat(world.slots()).isEmpty();

    world.request("default/v1#9", LanesWorld.EBS, new LaneRequest.ReleaseSlot("n1", "ext-v1"));
    assertThat(world.slots()).last().extracting(NodeSlots::inUse).isEqualTo(0L);
  }

  @Test
  void anOpenCallThatIsTakenBackSettlesWhenItIsDone() {
    String attach = world.attach("v1", "n1");
    world.effects();
    world.withdraw(attach);
    assertThat(world.settlements(attach)).isEmpty();
    world.ok(attach);
    assertThat(world.settlement(attach))
        .isEqualTo(new Settlement.Done(RpcCode.OK, false, Map.of()));
  }

  @Test
  void anOpenCallThatIsTakenBackIsNotTriedAgain() {
    String attach = world.attach("v1", "n1");
    world.effects();
    world.withdraw(attach);
    world.answer(attach, RpcCode.UNAVAILABLE);
    assertThat(world.settlement(attach)).isEqualTo(new Settlement.Withdrawn(true));
    assertThat(world.settled(attach)).isTrue();
  }

  @Test
  void anOpenCallThatIsTakenBackDoesNotGoToTheNextInstance() {
    String attach = world.attach("v1", "n1");
    world.effects();
    world.withdraw(attach);
    world.unanswered(attach, CallFate.UNREACHED, NotSentReason.NONE, RpcCode.UNAVAILABLE);
    assertThat(world.settlement(attach)).isEqualTo(new Settlement.Withdrawn(false));
    assertThat(world.calls()).isEmpty();
    assertThat(world.state().scan(LaneTables.SLOTS, "")).isEmpty();
  }

  @Test
  void aDetachThatMayHaveWorkedSaysSoWhenItIsTakenBack() {
    String detach = world.detach("v1", "n1");
    world.answer(detach, RpcCode.DEADLINE_EXCEEDED);
    world.effects();
    world.withdraw(detach);
    assertThat(world.settlement(detach)).isEqualTo(new Settlement.Withdrawn(true));
  }

  @Test
  void takingBackWhatIsNotKnownIsAnswered() {
    world.withdraw("default/v1#77");
    assertThat(world.settlement("default/v1#77")).isEqualTo(new Settlement.Withdrawn(false));
  }

  @Test
  void wakingWhatIsNotKnownDoesNothing() {
    world.effects();
    world.wake("default/v1#77", true);
    assertThat(world.effects()).isEmpty();
  }

  // ---- slots

  @Test
  void attachesOnTheirWayCountSoThatANodeIsNeverOverfilled() {
    world.policy("lane", "volume");
    world.nodeInstance(LanesWorld.EBS, "n1", "i-1", 3L);
    for (int i = 1; i <= 3; i++) {
      world.attach("v" + i, "n1");
    }
    String fourth = world.attach("v4", "n1");
    assertThat(world.settlement(fourth)).isEqualTo(new Settlement.SlotRefused(3, 3));
    assertThat(world.settled(fourth)).isTrue();
    assertThat(world.calls()).hasSize(3);
  }

  @Test
  void aSlotIsFreeAgainOnlyWhenTheDetachIsDone() {
    world.nodeInstance(LanesWorld.EBS, "n1", "i-1", 1L);
    world.ok(world.attach("v1", "n1"));
    String detach = world.detach("v1", "n1");
    assertThat(world.settlement(world.attach("v2", "n1")))
        .isEqualTo(new Settlement.SlotRefused(1, 1));
    world.ok(detach);
    assertThat(world.settlement(world.attach("v3", "n1"))).isEqualTo(new Settlement.Accepted());
  }

  @Test
  void anAttachOfAnAttachmentThatHasASlotTakesNoSecondOne() {
    world.nodeInstance(LanesWorld.EBS, "n1", "i-1", 1L);
    world.ok(world.attach("v1", "n1"));
    assertThat(world.settlement(world.attach("v1", "n1"))).isEqualTo(new Settlement.Accepted());
  }

  @Test
  void aDetachLeavesTheSlotToAnAttachThatIsWaitingBehindIt() {
    world.ok(world.attach("v1", "n1"));
    String detach = world.detach("v1", "n1");
    String again = world.attach("v1", "n1");
    world.ok(detach);
    assertThat(world.state().scan(LaneTables.SLOTS, "")).hasSize(1);
    world.withdraw(again);
    world.unanswered(again, CallFate.UNREACHED, NotSentReason.NONE, RpcCode.UNAVAILABLE);
    assertThat(world.state().scan(LaneTables.SLOTS, "")).isEmpty();
  }

  @Test
  void anAttachThatWasAnsweredAndIsTakenBackKeepsItsSlotUntilTheDetach() {
    String attach = world.attach("v1", "n1");
    world.withdraw(attach);
    world.answer(attach, RpcCode.ABORTED);
    assertThat(world.state().scan(LaneTables.SLOTS, "")).hasSize(1);
    world.ok(world.detach("v1", "n1"));
    assertThat(world.state().scan(LaneTables.SLOTS, "")).isEmpty();
  }

  @Test
  void takingBackASecondAttachKeepsTheSlotOfTheAttachment() {
    world.ok(world.attach("v1", "n1"));
    world.attach("v9", "n2");
    String again = world.attach("v1", "n1");
    world.withdraw(again);
    assertThat(world.state().scan(LaneTables.SLOTS, "ebs/n1/")).hasSize(1);
  }

  @Test
  void aNewMaximumOfANodeIsTold() {
    world.attach("v1", "n1");
    world.slots();
    world.nodeInstance(LanesWorld.EBS, "n1", "i-1", 7L);
    assertThat(world.slots())
        .containsExactly(new NodeSlots(LanesWorld.EBS, "n1", 7L, 1, world.now()));
  }

  @Test
  void callsWithoutASlotAreNotCounted() {
    world.nodeInstance(LanesWorld.EBS, "n1", "i-1", 1L);
    world.detach("v1", "n1");
    world.onNode(CsiCall.NODE_PUBLISH, "v2", "n1");
    assertThat(world.settlement(world.attach("v3", "n1"))).isEqualTo(new Settlement.Accepted());
  }

  // ---- external ids

  @Test
  void anExternalIdBelongsToOneVolume() {
    reserve("default/v1#1");
    assertThat(world.settlement("default/v1#1"))
        .isEqualTo(new Settlement.ExternalIdReserved("disk-1"));
    reserve("default/v1#2");
    assertThat(world.settlement("default/v1#2"))
        .isEqualTo(new Settlement.ExternalIdReserved("disk-1"));
    reserve("other/v1#1");
    assertThat(world.settlement("other/v1#1"))
        .isEqualTo(new Settlement.ExternalIdTaken("disk-1", "default/v1"));
  }

  @Test
  void onlyItsHolderGivesAnExternalIdBack() {
    reserve("default/v1#1");
    world.request("other/v1#1", LanesWorld.EBS, new LaneRequest.ReleaseExternalId("disk-1"));
    reserve("other/v1#2");
    assertThat(world.settlement("other/v1#2")).isInstanceOf(Settlement.ExternalIdTaken.class);
    world.request("default/v1#2", LanesWorld.EBS, new LaneRequest.ReleaseExternalId("disk-1"));
    reserve("other/v1#3");
    assertThat(world.settlement("other/v1#3")).isInstanceOf(Settlement.ExternalIdReserved.class);
  }

  @Test
  void aNewBudgetIsGivenToAnOpenCallToo() {
    String detach = world.detach("v1", "n1");
    world.answer(detach, RpcCode.UNAVAILABLE);
    world.advance(Duration.ofSeconds(1));
    world.settlements(detach);
    world.wake(detach, true);
    world.answer(detach, RpcCode.UNAVAILABLE);
    assertThat(world.held(detach).hold().attempts()).isEqualTo(1);
  }

  private void reserve(String id) {
    world.request(id, LanesWorld.EBS, new LaneRequest.ReserveExternalId("disk-1"));
  }
}
