package dev.berth.streams.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.NodeStatus;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginRole;
import dev.berth.streams.command.Command;
import dev.berth.streams.kernel.Draft;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.NamedPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Cluster under any events")
class ClusterDeciderTest {
  private static final int EVENTS = 400;
  private static final List<String> IDS = List.of("n1", "n2", "n3", "", "a/b", "\0", "Ü");

  static List<Integer> seeds() {
    return List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @DisplayName("never fails, tells every change, and takes no event twice")
  void anyEvents(int seed) {
    Random random = new Random(seed);
    ClusterWorld world = new ClusterWorld();
    for (int i = 0; i < EVENTS; i++) {
      world.after(Duration.ofSeconds(random.nextInt(40)));
      ClusterEvent event = event(random);
      MapState before = viewOf(world.state());

      world.send(event);

      assertThat(viewOf(world.copy())).as("copy after %s", event).isEqualTo(viewOf(world.state()));
      assertIncarnationsRise(before, world.state());
      assertThat(world.send(event))
          .as("second time: %s", event)
          .noneMatch(ClusterDeciderTest::isViewChange);
    }
  }

  private static boolean isViewChange(ClusterEffect effect) {
    return effect instanceof ClusterEffect.Broadcast broadcast
        && !(broadcast.signal() instanceof ClusterSignal.GarbageCollection);
  }

  private static void assertIncarnationsRise(State before, State after) {
    for (State.Entry<NodeView> row : before.scan(ClusterTables.NODES, "")) {
      NodeView now = ClusterTables.node(after, row.key());
      assertThat(now).as("nodes are never forgotten").isNotNull();
      if (now != null) {
        assertThat(now.incarnation()).isGreaterThanOrEqualTo(row.value().incarnation());
        assertThat(now.contactLostAt() == null).isEqualTo(now.ready());
      }
    }
  }

  private static MapState viewOf(State state) {
    MapState view = new MapState();
    Draft<Object> draft = new Draft<>(view);
    state
        .scan(ClusterTables.NODES, "")
        .forEach(r -> draft.put(ClusterTables.NODES, r.key(), r.value()));
    state
        .scan(ClusterTables.INSTANCES, "")
        .forEach(row -> draft.put(ClusterTables.INSTANCES, row.key(), row.value()));
    state
        .scan(ClusterTables.PLUGINS, "")
        .forEach(row -> draft.put(ClusterTables.PLUGINS, row.key(), row.value()));
    state
        .scan(ClusterTables.POLICIES, "")
        .forEach(row -> draft.put(ClusterTables.POLICIES, row.key(), row.value()));
    view.applyAll(draft.decision().changes());
    return view;
  }

  private static ClusterEvent event(Random random) {
    String id = IDS.get(random.nextInt(IDS.size()));
    String plugin = random.nextInt(20) == 0 ? id : "p" + random.nextInt(2);
    PluginRole role = pick(random, PluginRole.values());
    return switch (random.nextInt(9)) {
      case 0, 1 ->
          new ClusterEvent.NodeReported(
              new NodeReport(
                  id,
                  random.nextInt(10) == 0 ? "k8s" : "nomad",
                  pick(random, NodeStatus.values()),
                  random.nextBoolean(),
                  Instant.ofEpochMilli(random.nextLong())));
      case 2 -> new ClusterEvent.NodeDeleted(id);
      case 3, 4 ->
          new ClusterEvent.InstanceReported(
              ClusterWorld.instance(
                  plugin,
                  id,
                  role,
                  pick(random, PluginHealth.values()),
                  pick(random, new String[] {"", "w1", "w2"})));
      case 5 -> new ClusterEvent.InstanceDeleted(plugin, id, role);
      case 6 ->
          new ClusterEvent.PolicyReported(
              new NamedPolicy(
                  pick(random, new String[] {"default", "plugin/p1", "volume/a/b", "odd"}),
                  Map.of("run", Integer.toString(random.nextInt(40))),
                  "",
                  "",
                  Instant.EPOCH));
      case 7 ->
          new ClusterEvent.CommandArrived(
              ClusterWorld.command(
                  "c",
                  pick(
                      random,
                      new Command.Body[] {
                        new Command.FenceNode(id),
                        new Command.UnfenceNode(id),
                        new Command.CollectGarbage(),
                        new Command.PausePlugin(plugin)
                      })));
      default -> new ClusterEvent.Tick();
    };
  }

  private static <T> T pick(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }
}
