package dev.berth.bench.core;

import dev.berth.records.NodeStatus;
import dev.berth.records.PluginRole;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.cluster.PluginView;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.Table;
import java.time.Instant;
import java.util.List;

/** The cluster that decisions are measured in: every node is ready, every plugin well. */
final class Cluster {
  static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  static final int NODES = 100;
  static final String SCHEDULER = "bench";
  static final String PLUGIN = "ebs";

  /** Its tables, as the copies of the processors hold them. */
  static final List<Table<?>> TABLES =
      List.of(ClusterTables.NODES, ClusterTables.INSTANCES, ClusterTables.PLUGINS);

  private Cluster() {}

  /** A cluster with these plugins, each with one controller and on every node. */
  static MapState with(List<String> plugins) {
    MapState state = new MapState();
    for (int i = 0; i < NODES; i++) {
      put(
          state,
          ClusterTables.NODES,
          node(i),
          new NodeView(node(i), SCHEDULER, NodeStatus.READY, true, 1, null, null));
    }
    for (String plugin : plugins) {
      put(state, ClusterTables.PLUGINS, plugin, new PluginView(plugin, true, null));
      instance(state, plugin, node(0), PluginRole.CONTROLLER);
      for (int i = 0; i < NODES; i++) {
        instance(state, plugin, node(i), PluginRole.NODE);
      }
    }
    return state;
  }

  static String node(int number) {
    return "n" + number % NODES;
  }

  /** The provider's name of a node. */
  static String machine(String node) {
    return "i-" + node;
  }

  private static void instance(MapState state, String plugin, String node, PluginRole role) {
    boolean controller = role == PluginRole.CONTROLLER;
    InstanceView view =
        new InstanceView(
            plugin,
            node,
            role,
            true,
            "",
            "pool",
            "",
            controller,
            controller,
            false,
            !controller,
            controller ? null : machine(node),
            null);
    put(state, ClusterTables.INSTANCES, view.key(), view);
  }

  private static <V> void put(MapState state, Table<V> table, String key, V value) {
    state.apply(new Change.Put<>(table, key, value));
  }
}
