package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import dev.berth.records.NotSentReason;
import dev.berth.records.PluginRole;
import dev.berth.records.RpcCode;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HoldsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final LanesWorld world = new LanesWorld();

  @Test
  void withoutAPluginRecordTheCallIsHeldAndThePluginsReturnTriesAtOnce() {
    withoutControllers();
    world.pluginRemoved(LanesWorld.EBS);
    String detach = world.detach("v1", "n3");
    Settlement.Held held = world.held(detach);
    assertThat(held)
        .isEqualTo(
            new Settlement.Held(
                new Hold(
                    HoldCode.NO_SUCH_PLUGIN,
                    "no instance of plugin ebs has been reported",
                    null,
                    1,
                    world.now(),
                    world.now(),
                    world.now().plus(SECOND),
                    false),
                false));

    world.controller(LanesWorld.EBS, "n1", true);
    assertThat(world.calls()).containsExactly("CU ext-v1 i-3 @n1");
  }

  @Test
  void withoutAControllerTheCallIsHeldAndAHealthyOneTriesAtOnce() {
    withoutControllers();
    String detach = world.detach("v1", "n3");
    assertThat(world.held(detach).hold().code()).isEqualTo(HoldCode.NO_CONTROLLER);
    world.controller(LanesWorld.EBS, "n2", true);
    assertThat(world.calls()).containsExactly("CU ext-v1 i-3 @n2");
  }

  @Test
  void aControllersNodeThatComesBackTriesAtOnce() {
    world.node("n1", NodeStatus.DISCONNECTED);
    world.node("n2", NodeStatus.DISCONNECTED);
    String detach = world.detach("v1", "n3");
    assertThat(world.held(detach).hold().code()).isEqualTo(HoldCode.NO_CONTROLLER);
    world.node("n2", NodeStatus.READY);
    assertThat(world.calls()).containsExactly("CU ext-v1 i-3 @n2");
  }

  @Test
  void anUnknownExternalNodeIdIsAHoldAndNeverAnEmptyId() {
    world.nodeInstance(LanesWorld.EBS, "n3", null, null);
    String attach =
        world.enqueue(
            LanesWorld.EBS, LanesWorld.call(CsiCall.CONTROLLER_PUBLISH, "v1", "n3", null), false);
    assertThat(world.held(attach).hold().code()).isEqualTo(HoldCode.MISSING_EXTERNAL_NODE_ID);
    assertThat(world.calls()).isEmpty();

    world.nodeInstance(LanesWorld.EBS, "n3", "i-3", null);
    assertThat(world.calls()).containsExactly("CP ext-v1 i-3 @n1");
  }

  @Test
  void aDetachIsDecidedAgainWhenItsExternalNodeIdIsKnown() {
    world.nodeInstance(LanesWorld.EBS, "n3", null, null);
    String detach =
        world.enqueue(
            LanesWorld.EBS, LanesWorld.call(CsiCall.CONTROLLER_UNPUBLISH, "v1", "n3", null), false);
    assertThat(world.held(detach).hold().code()).isEqualTo(HoldCode.MISSING_EXTERNAL_NODE_ID);

    world.nodeInstance(LanesWorld.EBS, "n3", "i-3", null);

    assertThat(world.calls()).isEmpty();
    assertThat(world.settlement(detach)).isEqualTo(new Settlement.Withdrawn(false));
    assertThat(world.settled(detach)).isTrue();
  }

  @Test
  void aNodeCallForADisconnectedNodeIsHeldUntilItIsReady() {
    world.node("n2", NodeStatus.DISCONNECTED);
    String unpublish = world.onNode(CsiCall.NODE_UNPUBLISH, "v1", "n2");
    assertThat(world.held(unpublish).hold().code()).isEqualTo(HoldCode.NODE_UNREACHABLE);

    world.node("n2", NodeStatus.DOWN);
    assertThat(world.held(unpublish).hold())
        .extracting("code", "attempts")
        .containsExactly(HoldCode.NODE_LOST, 1);

    world.node("n2", NodeStatus.READY);
    assertThat(world.calls()).containsExactly("NU ext-v1 @n2");
  }

  @Test
  void aNodeCallWithoutAHealthyNodePluginIsHeldUntilItIsHealthy() {
    world.nodeInstance(LanesWorld.EBS, "n2", "i-2", null, false);
    String unpublish = world.onNode(CsiCall.NODE_UNPUBLISH, "v1", "n2");
    assertThat(world.held(unpublish).hold().code()).isEqualTo(HoldCode.NODE_PLUGIN_MISSING);
    world.nodeInstance(LanesWorld.EBS, "n2", "i-2", null, true);
    assertThat(world.calls()).containsExactly("NU ext-v1 @n2");
  }

  @Test
  void aHeldCallBlocksNobodyInItsLane() {
    world.nodeInstance(LanesWorld.EBS, "n3", null, null);
    world.enqueue(
        LanesWorld.EBS, LanesWorld.call(CsiCall.CONTROLLER_PUBLISH, "v1", "n3", null), false);
    world.attach("v2", "n1");
    assertThat(world.calls()).containsExactly("CP ext-v2 i-1 @n1");
  }

  @Test
  void aCallThatCanNoLongerBeMadeWhenItsTurnComesIsHeldAndTheNextGoes() {
    world.policy("lane", "node");
    String open = world.onNode(CsiCall.NODE_STAGE, "v1", "n2");
    String next = world.onNode(CsiCall.NODE_PUBLISH, "v1", "n2");
    world.node("n2", NodeStatus.DISCONNECTED);
    world.ok(open);
    assertThat(world.held(next).hold().code()).isEqualTo(HoldCode.NODE_UNREACHABLE);
    assertThat(world.state().get(LaneTables.LANES, "ebs/node/n2/default/v1")).isNull();
  }

  @Test
  void aHoldCountsLikeAFailedAttemptAndTheBudgetIsReportedOnce() {
    world.policy("max-attempts", "5");
    withoutControllers();
    String detach = world.detach("v1", "n3");
    world.advance(Duration.ofMinutes(1));
    List<Settlement.Body> held = world.settlements(detach);
    assertThat(held.stream().map(body -> ((Settlement.Held) body).hold().stuck()))
        .containsExactly(false, false, false, false, true);
    assertThat(held.stream().map(body -> ((Settlement.Held) body).hold().lastFailure()))
        .containsExactly(
            LanesWorld.START,
            LanesWorld.START.plusSeconds(1),
            LanesWorld.START.plusSeconds(3),
            LanesWorld.START.plusSeconds(7),
            LanesWorld.START.plusSeconds(15));

    world.advance(Duration.ofMinutes(10));
    assertThat(world.settlements(detach).stream().map(body -> ((Settlement.Held) body).hold()))
        .extracting(Hold::lastFailure)
        .containsExactly(LanesWorld.START.plusSeconds(315), LanesWorld.START.plusSeconds(615));
  }

  @Test
  void anOperatorsRetryStartsANewBudget() {
    world.policy("max-attempts", "3");
    String detach = world.detach("v1", "n2");
    failUntilStuck(detach);
    world.advance(Duration.ofSeconds(10));
    world.wake(detach, true);
    failUntilStuck(detach);
  }

  @Test
  void aWakeWithoutANewBudgetTriesAtOnceAndGoesOnCounting() {
    String detach = world.detach("v1", "n2");
    world.answer(detach, RpcCode.UNAVAILABLE);
    world.settlements(detach);
    world.wake(detach, false);
    world.answer(detach, RpcCode.UNAVAILABLE);
    assertThat(world.held(detach).hold().attempts()).isEqualTo(2);
  }

  @Test
  void aMissingSecretIsLookedForEveryFiveSecondsAndCounts() {
    world.policy("max-attempts", "2");
    String detach = world.detach("v1", "n2");
    for (int i = 0; i < 3; i++) {
      world.unanswered(
          detach, CallFate.NOT_SENT, NotSentReason.SECRET_UNAVAILABLE, RpcCode.UNAVAILABLE);
      assertThat(world.held(detach).hold())
          .extracting("code", "rpcCode", "nextRetry", "stuck")
          .containsExactly(HoldCode.SECRET_UNAVAILABLE, null, world.now().plusSeconds(5), i >= 1);
      world.advance(Duration.ofSeconds(5));
    }
  }

  @Test
  void aSecretThatIsFoundTriesTheCallsThatMissedItAtOnceAndNoOthers() {
    String found = world.detach("v1", "n2");
    String other = world.detach("v2", "n2");
    for (String detach : List.of(found, other)) {
      world.unanswered(
          detach, CallFate.NOT_SENT, NotSentReason.SECRET_UNAVAILABLE, RpcCode.UNAVAILABLE);
    }
    String failed = world.detach("v3", "n2");
    world.answer(failed, RpcCode.UNAVAILABLE);
    world.calls();

    world.decide(new LanesEvent.SecretsFound(LanesWorld.EBS, List.of("${kv:v1}", "${kv:v3}")));

    assertThat(world.calls()).containsExactly("CU ext-v1 i-2 @n1");
  }

  @Test
  void aPluginThatBecomesHealthyTriesFailedCallsAtOnce() {
    world.controller(LanesWorld.EBS, "n2", false);
    String detach = world.detach("v1", "n3");
    world.answer(detach, RpcCode.INTERNAL);
    world.calls();
    world.controller(LanesWorld.EBS, "n1", true);
    assertThat(world.calls()).as("it was healthy already").isEmpty();

    world.controller(LanesWorld.EBS, "n2", true);
    assertThat(world.calls()).containsExactly("CU ext-v1 i-3 @n1");
  }

  @Test
  void aNodePluginThatBecomesHealthyTriesFailedNodeCallsAtOnceAndControllerCallsNot() {
    String detach = world.detach("v1", "n3");
    world.answer(detach, RpcCode.INTERNAL);
    String unpublish = world.onNode(CsiCall.NODE_UNPUBLISH, "v2", "n3");
    world.answer(unpublish, RpcCode.INTERNAL);
    world.calls();
    world.nodeInstance(LanesWorld.EBS, "n3", "i-3", null, false);
    world.nodeInstance(LanesWorld.EBS, "n3", "i-3", null, true);
    assertThat(world.calls()).containsExactly("NU ext-v2 @n3");
  }

  @Test
  void aDetachOfAPluginThatDoesNotAttachHasNothingToCall() {
    world.controller(LanesWorld.EBS, "n2", false);
    world.controller(LanesWorld.EBS, "n1", true, false);
    String detach = world.detach("v1", "n3");
    assertThat(world.settlement(detach))
        .isEqualTo(new Settlement.Done(RpcCode.UNIMPLEMENTED, false, Map.of()));
    assertThat(world.calls()).isEmpty();
  }

  @Test
  void anAttachOfAPluginThatDoesNotAttachHasNothingToCall() {
    world.controller(LanesWorld.EBS, "n2", false);
    world.controller(LanesWorld.EBS, "n1", false);
    String attach = world.attach("v1", "n3");
    List<Settlement.Body> held = world.settlements(attach);
    world.controller(LanesWorld.EBS, "n1", true, false);
    assertThat(((Settlement.Held) held.get(1)).hold().code()).isEqualTo(HoldCode.NO_CONTROLLER);
    assertThat(world.settlement(attach))
        .isEqualTo(new Settlement.Done(RpcCode.UNIMPLEMENTED, false, Map.of()));
    assertThat(world.calls()).isEmpty();
  }

  @Test
  void anAttachThatWasTriedBeforeThePluginDoesNotAttachMayHaveHadItsEffect() {
    String attach = world.attach("v1", "n3");
    world.answer(attach, RpcCode.ABORTED);
    world.settlements(attach);
    world.controller(LanesWorld.EBS, "n2", false);
    world.controller(LanesWorld.EBS, "n1", true, false);
    assertThat(world.settlement(attach))
        .isEqualTo(new Settlement.Done(RpcCode.UNIMPLEMENTED, false, Map.of(), true));
  }

  private void failUntilStuck(String request) {
    world.settlements(request);
    for (int i = 1; i <= 3; i++) {
      world.answer(request, RpcCode.INTERNAL);
      assertThat(world.held(request).hold())
          .extracting("attempts", "stuck")
          .containsExactly(i, i == 3);
      if (i < 3) {
        world.advance(Duration.ofSeconds(i));
      }
    }
  }

  private void withoutControllers() {
    world.instanceRemoved(LanesWorld.EBS, "n1", PluginRole.CONTROLLER);
    world.instanceRemoved(LanesWorld.EBS, "n2", PluginRole.CONTROLLER);
    world.effects();
  }
}
