package dev.berth.streams.cluster;

import dev.berth.records.PluginRole;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import dev.berth.streams.policy.Policies;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as tables. {@code Cluster} owns the original; {@code VolumeClaims} and {@code Lanes}
 * keep a copy in each partition, fed by signals.
 */
public final class ClusterTables {
  /** Nodes by node id. */
  public static final Table<NodeView> NODES = new Table<>("nodes", NodeView.class);

  /** Plugin instances by {@link InstanceView#key()}. */
  public static final Table<InstanceView> INSTANCES = new Table<>("instances", InstanceView.class);

  /** Plugin records by plugin id. */
  public static final Table<PluginView> PLUGINS = new Table<>("plugins", PluginView.class);

  /** The policies in force: one row, under {@link #POLICIES_KEY}. */
  public static final Table<Policies> POLICIES = new Table<>("policies", Policies.class);

  /** The only key of {@link #POLICIES}. */
  public static final String POLICIES_KEY = "policies";

  private ClusterTables() {}

  /**
   * The policies in force; {@link Policies#DEFAULTS} before the first signal of them. Reading them
   * from a store decodes them, and they then resolve anew: a processor keeps them in a field and
   * reads again after {@link ClusterSignal.PoliciesChanged}.
   */
  public static Policies policies(State state) {
    Policies policies = state.get(POLICIES, POLICIES_KEY);
    return policies == null ? Policies.DEFAULTS : policies;
  }

  /** A node; null when it was never heard of. */
  public static @Nullable NodeView node(State state, String node) {
    return state.get(NODES, node);
  }

  /**
   * A node as it counts for what a scheduler has there; null when nothing that counts was heard.
   *
   * @param of the scheduler; null when it is not known ({@link NodeView#speaksFor})
   */
  public static @Nullable NodeView node(State state, String node, @Nullable String of) {
    NodeView view = node(state, node);
    return view != null && view.speaksFor(of) ? view : null;
  }

  /** A plugin record; null when there is none. */
  public static @Nullable PluginView plugin(State state, String plugin) {
    return state.get(PLUGINS, plugin);
  }

  /** The plugin's controller instances in the order of their nodes, healthy or not. */
  public static List<InstanceView> controllers(State state, String plugin) {
    return state.scan(INSTANCES, InstanceView.prefix(plugin, PluginRole.CONTROLLER)).stream()
        .map(State.Entry::value)
        .toList();
  }

  /**
   * The controllers that can be asked now: healthy, on ready nodes. What a controller on a lost
   * node last said of itself is no knowledge.
   */
  public static List<InstanceView> liveControllers(State state, String plugin) {
    return controllers(state, plugin).stream()
        .filter(
            controller -> {
              NodeView node = node(state, controller.node());
              return controller.healthy() && node != null && node.ready();
            })
        .toList();
  }

  /**
   * Whether live controllers say that the plugin does not attach, so that it has nothing to detach
   * either; silence says nothing. This is the rule: the claims ask it before they want a detach,
   * the lanes when one is about to be sent and when one was answered UNIMPLEMENTED.
   */
  public static boolean cannotAttach(State state, String plugin) {
    List<InstanceView> live = liveControllers(state, plugin);
    return !live.isEmpty() && live.stream().noneMatch(InstanceView::attach);
  }

  /** The plugin's node instance on a node; null when there is none. */
  public static @Nullable InstanceView nodeInstance(State state, String plugin, String node) {
    return state.get(INSTANCES, InstanceView.prefix(plugin, PluginRole.NODE) + node);
  }

  /** Whether some node instance of the plugin is healthy, on whatever node. */
  public static boolean hasHealthyNodeInstance(State state, String plugin) {
    String prefix = InstanceView.prefix(plugin, PluginRole.NODE);
    State.Entry<InstanceView> next = state.first(INSTANCES, prefix);
    while (next != null && !next.value().healthy()) {
      next = state.ceiling(INSTANCES, prefix, next.key() + '\0');
    }
    return next != null;
  }
}
