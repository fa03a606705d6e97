package dev.berth.streams.cluster;

import static dev.berth.streams.cluster.ClusterWorld.broadcast;
import static dev.berth.streams.cluster.ClusterWorld.nothing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.streams.policy.Policies;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Published policies")
class PolicyBookTest {
  private final ClusterWorld world = new ClusterWorld();

  @Test
  @DisplayName("come into force together, as a new version each time")
  void versions() {
    assertThat(world.policy("default", Map.of("run", "1")))
        .isEqualTo(changed(1, Map.of("default", Map.of("run", "1"))));
    assertThat(world.policy("plugin/ebs", Map.of("lane", "node")))
        .isEqualTo(
            changed(
                2, Map.of("default", Map.of("run", "1"), "plugin/ebs", Map.of("lane", "node"))));
    assertThat(ClusterTables.policies(world.state()).version()).isEqualTo(2);
  }

  @Test
  @DisplayName("that say the same again are no new version")
  void same() {
    world.policy("default", Map.of("run", "1"));

    assertThat(world.policy("default", Map.of("run", "1"))).isEqualTo(nothing());
  }

  @Test
  @DisplayName("are rejected with every problem, and what was in force stays")
  void invalid() {
    world.policy("default", Map.of("run", "1"));

    assertThat(world.policy("default", Map.of("run", "99", "colour", "blue")))
        .singleElement()
        .isInstanceOfSatisfying(
            ClusterEffect.Rejected.class,
            rejected ->
                assertThat(rejected.reason())
                    .startsWith("policy 'default', colour = 'blue': there is no such key")
                    .endsWith(
                        "And: policy 'default', run = '99': it is not a whole number from 0 to 32;"
                            + " write for example 1"));
    assertThat(ClusterTables.policies(world.state()))
        .isEqualTo(new Policies(1, Map.of("default", Map.of("run", "1"))));
  }

  @Test
  @DisplayName("fall back when they are withdrawn")
  void withdrawn() {
    world.policy("default", Map.of("run", "1"));

    assertThat(world.send(new ClusterEvent.PolicyDeleted("default")))
        .isEqualTo(changed(2, Map.of()));
    assertThat(world.send(new ClusterEvent.PolicyDeleted("default"))).isEqualTo(nothing());
  }

  @Test
  @DisplayName("replace those of the configuration, which are the first version, name by name")
  void configured() {
    Map<String, String> ebs = Map.of("lane", "node");
    world.configured(new Policies(0, Map.of("default", Map.of("run", "1"), "plugin/ebs", ebs)));

    assertThat(world.send(new ClusterEvent.Tick()))
        .isEqualTo(changed(1, Map.of("default", Map.of("run", "1"), "plugin/ebs", ebs)));
    assertThat(world.policy("default", Map.of("max-attempts", "3")))
        .isEqualTo(changed(2, Map.of("default", Map.of("max-attempts", "3"), "plugin/ebs", ebs)));
    assertThat(world.send(new ClusterEvent.PolicyDeleted("default")))
        .isEqualTo(changed(3, Map.of("default", Map.of("run", "1"), "plugin/ebs", ebs)));
  }

  private static List<ClusterEffect> changed(
      long version, Map<String, Map<String, String>> settings) {
    return broadcast(new ClusterSignal.PoliciesChanged(new Policies(version, settings)));
  }
}
