package dev.berth.streams.claims;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginRole;
import dev.berth.records.VolumeState;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.Fence;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.cluster.PluginView;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.Table;
import dev.berth.streams.policy.Policies;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the claims see beside their own tables: nodes, plugins, policies and a clock, in one state
 * with them. {@link #f0} is the fixture F0 of the scenarios: nodes n1 to n3; plugin ebs attaches
 * and stages, gce attaches, nfs needs no controller.
 */
final class World {
  static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  static final String NAMESPACE = "default";

  final MapState state = new MapState();
  private final Map<String, String> defaults = new HashMap<>();
  private Instant now = START;

  static World f0() {
    World world = new World();
    for (int i = 1; i <= 3; i++) {
      world.node("n" + i, NodeStatus.READY);
      world.nodePlugin("ebs", "n" + i, "i-" + i, true);
      world.nodePlugin("gce", "n" + i, "g-" + i, false);
      world.nodePlugin("nfs", "n" + i, "f-" + i, false);
    }
    world.controller("ebs", "n1", true);
    world.controller("ebs", "n2", true);
    world.controller("gce", "n3", true);
    world.volume(
        "vA", "ebs", "vol-a", AccessMode.SINGLE_NODE_WRITER, AccessMode.SINGLE_NODE_READER);
    world.volume("vB", "ebs", "vol-b", AccessMode.SINGLE_NODE_WRITER);
    world.volume(
        "vM", "ebs", "vol-m", AccessMode.MULTI_NODE_SINGLE_WRITER, AccessMode.MULTI_NODE_READER);
    world.volume("vX", "ebs", "vol-x", AccessMode.MULTI_NODE_MULTI_WRITER);
    world.volume("vN", "nfs", "exp-n", AccessMode.MULTI_NODE_MULTI_WRITER);
    world.volume("vG", "gce", "disk-g", AccessMode.SINGLE_NODE_WRITER);
    return world;
  }

  Instant now() {
    return now;
  }

  void at(Instant time) {
    now = time;
  }

  Policies policies() {
    return defaults.isEmpty() ? Policies.DEFAULTS : new Policies(1, Map.of("default", defaults));
  }

  /**
   * Sets a policy for every volume, as {@code policies} writes it: {@code node-step}, {@code
   * worker}.
   */
  void policy(String setting, String value) {
    defaults.put(setting, value);
  }

  // ---- nodes

  void node(String node, NodeStatus status) {
    NodeView before = state.get(ClusterTables.NODES, node);
    Instant lost = before == null ? null : before.contactLostAt();
    put(
        ClusterTables.NODES,
        node,
        new NodeView(
            node,
            "nomad",
            status,
            true,
            1,
            status == NodeStatus.READY ? null : lost == null ? now : lost,
            before == null ? null : before.fence()));
  }

  void fence(String node, boolean fenced) {
    NodeView before = state.get(ClusterTables.NODES, node);
    NodeStatus status = before == null ? NodeStatus.DOWN : before.status();
    Instant lost = before == null ? now : before.contactLostAt();
    Fence fence = fenced ? new Fence("ops", "power is off", now) : null;
    put(ClusterTables.NODES, node, new NodeView(node, "nomad", status, true, 1, lost, fence));
  }

  // ---- plugins

  void nodePlugin(String plugin, String node, @Nullable String externalNode, boolean stages) {
    instance(plugin, node, PluginRole.NODE, true, false, false, stages, externalNode);
  }

  void sickNodePlugin(String plugin, String node) {
    InstanceView before = state.get(ClusterTables.INSTANCES, plugin + "/node@" + node);
    String external = before == null ? null : before.externalNode();
    instance(plugin, node, PluginRole.NODE, false, false, false, false, external);
  }

  /** A healthy controller that takes the read-only flag. */
  void controller(String plugin, String node, boolean attaches) {
    instance(plugin, node, PluginRole.CONTROLLER, true, attaches, true, false, null);
  }

  /** A healthy controller that attaches and does not take the read-only flag. */
  void plainController(String plugin, String node) {
    instance(plugin, node, PluginRole.CONTROLLER, true, true, false, false, null);
  }

  void sickController(String plugin, String node) {
    instance(plugin, node, PluginRole.CONTROLLER, false, true, true, false, null);
  }

  /** The provider's id of a node by its node plugin; null when unknown. */
  @Nullable String externalNode(String plugin, String node) {
    InstanceView view = state.get(ClusterTables.INSTANCES, plugin + "/node@" + node);
    return view == null ? null : view.externalNode();
  }

  void removeController(String plugin, String node) {
    state.apply(new Change.Remove(ClusterTables.INSTANCES, plugin + "/controller@" + node));
  }

  void removeNodePlugin(String plugin, String node) {
    state.apply(new Change.Remove(ClusterTables.INSTANCES, plugin + "/node@" + node));
  }

  /** The plugin record alone, as a plugin collection removes it. */
  void forgetPlugin(String plugin) {
    state.apply(new Change.Remove(ClusterTables.PLUGINS, plugin));
  }

  private void instance(
      String plugin,
      String node,
      PluginRole role,
      boolean healthy,
      boolean attach,
      boolean readOnly,
      boolean stage,
      @Nullable String externalNode) {
    InstanceView view =
        new InstanceView(
            plugin,
            node,
            role,
            healthy,
            "",
            "pool",
            "",
            attach,
            readOnly,
            false,
            stage,
            externalNode,
            null);
    put(ClusterTables.INSTANCES, view.key(), view);
    PluginView before = state.get(ClusterTables.PLUGINS, plugin);
    boolean required =
        role == PluginRole.CONTROLLER || (before != null && before.controllerRequired());
    put(ClusterTables.PLUGINS, plugin, new PluginView(plugin, required, null));
  }

  // ---- volumes

  static VolumeSpec spec(String volume, String plugin, String external, AccessMode... modes) {
    List<VolumeSpec.Capability> capabilities =
        Arrays.stream(modes)
            .map(mode -> new VolumeSpec.Capability(mode, AttachmentMode.FILE_SYSTEM))
            .toList();
    return new VolumeSpec(
        NAMESPACE,
        volume,
        plugin,
        external,
        capabilities,
        Map.of("token", "${kv:" + volume + "}"),
        Map.of("tier", "gold"),
        Map.of(),
        "ext4",
        List.of("noatime"),
        List.of());
  }

  void volume(String volume, String plugin, String external, AccessMode... modes) {
    VolumeSpec spec = spec(volume, plugin, external, modes);
    Volume registered =
        new Volume(
            spec,
            VolumeState.REGISTERED,
            new Volume.Origin("c0", "ops", "setup"),
            null,
            null,
            START,
            null,
            null);
    put(ClaimTables.VOLUMES, spec.key(), registered);
  }

  <V> void put(Table<V> table, String key, V value) {
    state.apply(new Change.Put<>(table, key, value));
  }

  void pass(Duration time) {
    now = now.plus(time);
  }
}
