package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.streams.work.Settlement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InstanceChoiceTest {
  private final LanesWorld world = new LanesWorld();

  @Test
  void theHealthyControllerOnTheLowestReadyNodeIsCalled() {
    world.node("n1", NodeStatus.DOWN);
    world.attach("v1", "n3");
    assertThat(world.calls()).containsExactly("CP ext-v1 i-3 @n2");
  }

  @Test
  void aControllerOnAnIneligibleNodeIsUsedLikeOthers() {
    world.ineligible("n1");
    world.attach("v1", "n3");
    assertThat(world.calls()).containsExactly("CP ext-v1 i-3 @n1");
  }

  @Test
  void aControllerOnANodeNeverHeardOfIsNotUsed() {
    world.controller(LanesWorld.EBS, "m0", true);
    world.attach("v1", "n3");
    assertThat(world.calls()).containsExactly("CP ext-v1 i-3 @n1");
  }

  @Test
  void aControllerThatDoesNotAdvertiseAttachIsNotUsed() {
    world.controller(LanesWorld.EBS, "n1", true, false);
    world.attach("v1", "n3");
    assertThat(world.calls()).containsExactly("CP ext-v1 i-3 @n2");
  }

  @Test
  void theControllerInUseStaysInUseWhileItIsWell() {
    world.controller(LanesWorld.EBS, "n1", false);
    world.ok(world.attach("v1", "n3"));
    world.controller(LanesWorld.EBS, "n1", true);
    world.ok(world.attach("v2", "n3"));
    world.controller(LanesWorld.EBS, "n2", false);
    world.attach("v3", "n3");

    assertThat(world.calls())
        .containsExactly("CP ext-v1 i-3 @n2", "CP ext-v2 i-3 @n2", "CP ext-v3 i-3 @n1");
  }

  @Test
  void aCallThatNeverReachedThePluginGoesToTheNextInstanceBeforeTheLaneMovesOn() {
    String first = world.attach("v1", "n3");
    world.attach("v2", "n3");
    world.unanswered(first, CallFate.UNREACHED, NotSentReason.NONE, RpcCode.UNAVAILABLE);

    assertThat(world.calls()).containsExactly("CP ext-v1 i-3 @n1", "CP ext-v1 i-3 @n2");
    assertThat(world.settlements(first)).containsExactly(new Settlement.Accepted());
  }

  @Test
  void eachInstanceIsAskedOnceInATurnAndThenTheAttemptHasFailed() {
    String first = world.attach("v1", "n3");
    world.settlements(first);
    world.unanswered(first, CallFate.UNREACHED, NotSentReason.NONE, RpcCode.UNAVAILABLE);
    world.unanswered(first, CallFate.NOT_SENT, NotSentReason.TIME_PASSED, RpcCode.UNAVAILABLE);
    assertThat(world.calls()).hasSize(2);
    assertThat(world.held(first).hold())
        .extracting("code", "rpcCode", "attempts")
        .containsExactly(HoldCode.CONTROLLER_ERROR, RpcCode.UNAVAILABLE, 1);
    assertThat(world.row(first).mayHaveEffect()).isFalse();

    world.advance(Duration.ofSeconds(1));
    assertThat(world.calls()).containsExactly("CP ext-v1 i-3 @n2");
  }

  @Test
  void aCallThatMayHaveReachedThePluginWaitsItsBackoff() {
    String first = world.attach("v1", "n3");
    world.unanswered(first, CallFate.UNANSWERED, NotSentReason.NONE, RpcCode.UNAVAILABLE);
    assertThat(world.calls()).hasSize(1);
    assertThat(world.row(first).mayHaveEffect()).isTrue();
  }

  @Test
  void aNodeCallGoesToThePluginOnItsNodeWithTheNodesIncarnation() {
    world.node("n2", NodeStatus.DOWN);
    world.node("n2", NodeStatus.READY);
    String publish = world.onNode(CsiCall.NODE_PUBLISH, "v1", "n2");

    assertThat(world.attempt(publish).work())
        .extracting("instanceNode", "route", "nodeIncarnation", "toController")
        .containsExactly("n2", "node-n2", 2L, false);
  }

  @Test
  void theExternalNodeIdIsFoundAtTheNodePluginAndKept() {
    String attach =
        world.enqueue(
            LanesWorld.EBS, LanesWorld.call(CsiCall.CONTROLLER_PUBLISH, "v1", "n3", null), false);
    world.nodeInstance(LanesWorld.EBS, "n3", "i-other", null);
    world.effects();
    world.answer(attach, RpcCode.UNAVAILABLE);
    world.advance(Duration.ofSeconds(1));

    assertThat(world.calls()).containsExactly("CP ext-v1 i-3 @n1");
    assertThat(world.effects().stream().filter(LanesEffect.Settle.class::isInstance))
        .allSatisfy(
            effect ->
                assertThat(((LanesEffect.Settle) effect).settlement().externalNode())
                    .isEqualTo("i-3"));
  }

  @Test
  void theControllerInUseIsTheOneThatWasReached() {
    String first = world.attach("v1", "n3");
    world.unanswered(first, CallFate.UNREACHED, NotSentReason.NONE, RpcCode.UNAVAILABLE);
    world.ok(first);
    world.attach("v2", "n3");
    assertThat(world.calls()).last().isEqualTo("CP ext-v2 i-3 @n2");
  }
}
