package dev.berth.streams.cluster;

import static dev.berth.records.NodeStatus.DOWN;
import static dev.berth.records.NodeStatus.GONE;
import static dev.berth.streams.cluster.ClusterWorld.START;
import static dev.berth.streams.cluster.ClusterWorld.broadcast;
import static dev.berth.streams.cluster.ClusterWorld.controller;
import static dev.berth.streams.cluster.ClusterWorld.removed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.PluginRole;
import dev.berth.streams.command.Answer;
import dev.berth.streams.command.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Garbage collection")
class CollectionTest {
  private static final ClusterSignal PERIODIC = new ClusterSignal.GarbageCollection(false, "");
  private static final ClusterSignal EBS_REMOVED = new ClusterSignal.PluginRemoved("ebs");

  private final ClusterWorld world = new ClusterWorld();

  @BeforeEach
  void start() {
    world.send(new ClusterEvent.Tick());
  }

  @Test
  @DisplayName("looks at all claims at every multiple of its interval, whenever Cluster began")
  void periodic() {
    world.after(Duration.ofSeconds(7)).send(new ClusterEvent.Tick());

    assertThat(world.pass(Duration.ofSeconds(288))).isEmpty();
    assertThat(world.pass(Duration.ofSeconds(5))).isEqualTo(broadcast(PERIODIC));
    assertThat(world.pass(Duration.ofMinutes(10))).isEqualTo(broadcast(PERIODIC, PERIODIC));
  }

  @Test
  @DisplayName("makes up for a pass missed while Cluster was away, once")
  void missedPass() {
    world.after(Duration.ofHours(3));

    assertThat(world.send(new ClusterEvent.Tick())).isEqualTo(broadcast(PERIODIC));
  }

  @Test
  @DisplayName("waits for a clock that was put back")
  void clockPutBack() {
    world.after(Duration.ofHours(-1));

    assertThat(world.send(new ClusterEvent.Tick())).isEmpty();
    assertThat(world.pass(Duration.ofMinutes(5))).isEqualTo(broadcast(PERIODIC));
  }

  @Test
  @DisplayName("follows the interval of the policy")
  void interval() {
    world.policy("default", Map.of("gc.interval", "1m"));

    assertThat(world.pass(Duration.ofMinutes(3)))
        .isEqualTo(broadcast(PERIODIC, PERIODIC, PERIODIC));
  }

  @Test
  @DisplayName("removes a plugin record that had no instance for the threshold, not before")
  void pluginRecord() {
    emptyPlugin();

    assertThat(world.pass(Duration.ofMinutes(59)))
        .doesNotContainAnyElementsOf(broadcast(EBS_REMOVED));
    assertThat(world.pass(Duration.ofMinutes(5))).isEqualTo(broadcast(EBS_REMOVED, PERIODIC));
    assertThat(ClusterTables.plugin(world.state(), "ebs")).isNull();
  }

  @Test
  @DisplayName("follows the threshold of the plugin's own policy")
  void pluginThreshold() {
    world.policy("plugin/ebs", Map.of("plugin-gc.threshold", "10m"));
    emptyPlugin();

    assertThat(world.pass(Duration.ofMinutes(10))).containsAll(broadcast(EBS_REMOVED));
  }

  @Test
  @DisplayName("asked for by an operator ignores the thresholds and is answered")
  void now() {
    emptyPlugin();

    assertThat(world.command(new Command.CollectGarbage()))
        .containsExactly(
            new ClusterEffect.Broadcast(EBS_REMOVED),
            new ClusterEffect.Broadcast(new ClusterSignal.GarbageCollection(true, "ops")),
            new ClusterEffect.Answered(
                new Answer(
                    "c1",
                    "ops",
                    "because",
                    "CollectGarbage",
                    "gc",
                    null,
                    "every volume is being looked at, whatever the thresholds; plugin records"
                        + " removed: 1",
                    START)));
  }

  @Test
  @DisplayName("leaves a plugin with an instance alone, healthy or not")
  void pluginInUse() {
    world.send(new ClusterEvent.InstanceReported(controller("n1", "w1")));
    world.pass(Duration.ofHours(3));

    assertThat(world.command(new Command.CollectGarbage()))
        .doesNotContainAnyElementsOf(broadcast(EBS_REMOVED));
  }

  @Test
  @DisplayName("removes a silent instance once its node is deleted, and keeps that of a lost node")
  void instancesOfGoneNodes() {
    world.send(new ClusterEvent.InstanceReported(controller("n1", "w1")));
    world.send(new ClusterEvent.InstanceReported(controller("n2", "w2")));
    world.node("n1", GONE);
    world.node("n2", DOWN);

    List<ClusterEffect> effects = world.pass(Duration.ofMinutes(65));

    assertThat(effects)
        .containsAll(
            broadcast(new ClusterSignal.InstanceRemoved("ebs", "n1", PluginRole.CONTROLLER)))
        .doesNotContainAnyElementsOf(
            broadcast(new ClusterSignal.InstanceRemoved("ebs", "n2", PluginRole.CONTROLLER)));
  }

  private void emptyPlugin() {
    world.send(new ClusterEvent.InstanceReported(controller("n1")));
    world.send(new ClusterEvent.InstanceReported(removed(controller("n1"), "")));
    Instant now = world.now();
    assertThat(ClusterTables.plugin(world.state(), "ebs"))
        .isEqualTo(new PluginView("ebs", true, now));
  }
}
