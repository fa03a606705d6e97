package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whose word about a node counts for a call: {@code sched} owns the nodes of the world. */
class SchedulersWordTest {
  private final LanesWorld world = new LanesWorld();

  @Test
  void anAttachIsHeldByTheLossOfItsNodeWhenItsOwnSchedulerTellsOfIt() {
    world.node("n3", NodeStatus.DOWN);
    String attach = world.ofScheduler("sched", CsiCall.CONTROLLER_PUBLISH, "v1", "n3");
    assertThat(world.held(attach).hold().code()).isEqualTo(HoldCode.NODE_LOST);
    assertThat(world.calls()).isEmpty();
  }

  @Test
  void anAttachGoesOutWhateverAnotherSchedulerSaysOfItsNode() {
    world.node("n3", NodeStatus.DOWN);
    world.ofScheduler("east", CsiCall.CONTROLLER_PUBLISH, "v1", "n3");
    assertThat(world.calls()).containsExactly("CP ext-v1 i-3 @n1");
  }

  @Test
  void anAttachOfWhichNobodyKnowsWhoseItIsIsHeldByTheLossOfItsNode() {
    world.node("n3", NodeStatus.DOWN);
    String attach = world.attach("v1", "n3");
    world.settlements(attach);
    world.advance(Duration.ofSeconds(2));
    assertThat(world.held(attach).hold().code()).isEqualTo(HoldCode.NODE_LOST);
    assertThat(world.calls()).isEmpty();
  }

  @Test
  void aNodeCallWaitsForANodeOfWhichItsOwnSchedulerHasNotTold() {
    world.node("n3", NodeStatus.DOWN);
    String stage = world.ofScheduler("east", CsiCall.NODE_STAGE, "v1", "n3");
    assertThat(world.held(stage).hold())
        .extracting("code", "message")
        .containsExactly(
            HoldCode.NODE_UNREACHABLE,
            "node n3 is DOWN as scheduler sched says, and nobody else has told of it");

    world.node("n3", NodeStatus.READY);
    assertThat(world.calls()).containsExactly("NS ext-v1 @n3");
  }
}
