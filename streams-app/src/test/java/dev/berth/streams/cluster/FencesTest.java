package dev.berth.streams.cluster;

import static dev.berth.records.NodeStatus.DISCONNECTED;
import static dev.berth.records.NodeStatus.DOWN;
import static dev.berth.records.NodeStatus.READY;
import static dev.berth.streams.cluster.ClusterWorld.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.NodeStatus;
import dev.berth.streams.command.Answer;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A fence")
class FencesTest {
  private static final Command.Body FENCE = new Command.FenceNode("n1");
  private static final Command.Body UNFENCE = new Command.UnfenceNode("n1");
  private static final Fence BY_OPS = new Fence("ops", "because", START);

  private final ClusterWorld world = new ClusterWorld();

  @Test
  @DisplayName("of a lost node is known to all with author and reason, and answered")
  void fence() {
    world.node("n1", DOWN);

    assertThat(world.command(FENCE))
        .containsExactly(
            changed(DOWN, 1, START, BY_OPS),
            answered(
                FENCE,
                null,
                "node 'n1' (down) is fenced: its claims end without their unmounts",
                START));
  }

  @Test
  @DisplayName("is refused for a node that is ready")
  void nodeAlive() {
    world.node("n1", READY);

    assertThat(world.command(FENCE))
        .containsExactly(
            answered(
                FENCE,
                Refusal.NODE_ALIVE,
                "node 'n1' is ready: its workloads may be writing. Stop it first, or check its"
                    + " name",
                START));
  }

  @Test
  @DisplayName("is refused for a node never heard of, and so is its end")
  void notFound() {
    String unknown = "no scheduler has ever reported a node 'n1': check its name";

    assertThat(world.command(FENCE))
        .containsExactly(answered(FENCE, Refusal.NOT_FOUND, unknown, START));
    assertThat(world.command(UNFENCE))
        .containsExactly(answered(UNFENCE, Refusal.NOT_FOUND, unknown, START));
  }

  @Test
  @DisplayName("given twice changes nothing the second time")
  void noChange() {
    world.node("n1", DOWN);
    world.command(FENCE);

    assertThat(world.after(Duration.ofSeconds(1)).command(FENCE))
        .containsExactly(
            answered(
                FENCE,
                Refusal.NO_CHANGE,
                "node 'n1' is fenced: by ops, because",
                START.plusSeconds(1)));
  }

  @Test
  @DisplayName("stays in force when the node comes back, as a new incarnation")
  void staysWhenBack() {
    world.node("n1", DISCONNECTED);
    world.command(FENCE);

    assertThat(world.node("n1", READY)).containsExactly(changed(READY, 2, null, BY_OPS));
  }

  @Test
  @DisplayName("is lifted by an unfence; the node that is back keeps its incarnation")
  void unfence() {
    world.node("n1", DOWN);
    world.command(FENCE);
    world.node("n1", READY);

    assertThat(world.command(UNFENCE))
        .containsExactly(
            changed(READY, 2, null, null),
            answered(
                UNFENCE,
                null,
                "node 'n1' (ready) is clean: claims for it no longer wait for old unmounts",
                START));
  }

  @Test
  @DisplayName("that is lifted while the node is away leaves a new incarnation behind")
  void unfenceWhileAway() {
    world.node("n1", DISCONNECTED);
    world.command(FENCE);
    world.command(UNFENCE);

    world.node("n1", READY);

    assertThat(world.nodeView("n1")).isEqualTo(ClusterWorld.view("n1", READY, 2, null));
  }

  @Test
  @DisplayName("vouches for the outage in which it was given, and for no later one")
  void vouchesOnce() {
    world.node("n1", DOWN);
    world.command(FENCE);
    boolean then = world.nodeView("n1").vouchedFor();
    world.node("n1", READY);

    world.node("n1", DISCONNECTED);

    assertThat(then).isTrue();
    assertThat(world.nodeView("n1"))
        .isEqualTo(new NodeView("n1", "nomad", DISCONNECTED, true, 2, START.plusMillis(1), BY_OPS));
    assertThat(world.nodeView("n1").vouchedFor()).isFalse();
  }

  @Test
  @DisplayName("can be given in a later outage too, and what the earlier one left is owed on")
  void onceMore() {
    world.node("n1", DOWN);
    world.command(FENCE);
    world.node("n1", READY);
    world.after(Duration.ofSeconds(1)).node("n1", DOWN);

    world.command(FENCE);

    assertThat(world.nodeView("n1").fence())
        .isEqualTo(new Fence("ops", "because", START.plusSeconds(1), START));
    assertThat(world.nodeView("n1").vouchedFor()).isTrue();
  }

  @Test
  @DisplayName("that is not there cannot be lifted")
  void unfenceNothing() {
    world.node("n1", READY);

    assertThat(world.command(UNFENCE))
        .containsExactly(answered(UNFENCE, Refusal.NO_CHANGE, "node 'n1' is not fenced", START));
  }

  @Test
  @DisplayName("is not asked of Cluster by a command about a volume")
  void otherCommands() {
    Command.Body body = new Command.UnblockVolume("default", "v1");

    List<ClusterEffect> effects = world.command(body);

    assertThat(effects)
        .containsExactly(
            answered(
                body,
                Refusal.INVALID,
                "UnblockVolume is not decided here: send it to the topic commands",
                START));
  }

  private static ClusterEffect changed(
      NodeStatus status, long incarnation, @Nullable Instant lost, @Nullable Fence fence) {
    return new ClusterEffect.Broadcast(
        new ClusterSignal.NodeChanged(
            new NodeView("n1", "nomad", status, true, incarnation, lost, fence)));
  }

  private static ClusterEffect answered(
      Command.Body body, @Nullable Refusal refusal, String message, Instant at) {
    return new ClusterEffect.Answered(
        new Answer("c1", "ops", "because", body.name(), body.subject(), refusal, message, at));
  }
}
