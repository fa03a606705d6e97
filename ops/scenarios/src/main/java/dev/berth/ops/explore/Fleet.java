package dev.berth.ops.explore;

import dev.berth.records.NodeStatus;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginRole;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.cluster.ClusterEvent;
import dev.berth.streams.cluster.InstanceReport;
import dev.berth.streams.cluster.NodeReport;
import dev.berth.streams.cluster.NodeView;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The nodes of a simulated world and the plugins on them: how they come, fall ill and go. */
final class Fleet {
  private final Sim sim;

  Fleet(Sim sim) {
    this.sim = sim;
  }

  /**
   * The scheduler says something of a node.
   *
   * @return whether it makes sense
   */
  boolean node(String node, NodeStatus status) {
    NodeView before = sim.node(node);
    if (before == null || before.status() == status) {
      return false;
    }
    if (status == NodeStatus.READY) {
      // A node that comes back within the moments that news takes is a known race
      // (claims/DESIGN.md, "Races").
      sim.deliveries().newsOfTheCluster();
      sim.deliveries().allRequests();
    }
    boolean anew = before.status() == NodeStatus.GONE;
    int life = sim.provider().life(node);
    if (anew) {
      if (status != NodeStatus.READY) {
        return false;
      }
      life = nextLife(node);
      sim.provider().anew(node, life);
    }
    boolean cutOff = status == NodeStatus.DOWN || status == NodeStatus.GONE;
    if (cutOff) {
      killNodeCalls(node);
    }
    report(node, status);
    if (status == NodeStatus.GONE) {
      sim.setup().plugins().forEach(plugin -> nodePluginGone(plugin, node));
    } else if (anew) {
      sim.setup().plugins().forEach(plugin -> nodePlugin(plugin, node));
    }
    return true;
  }

  /** Node calls end with their node, and nobody hears of them. */
  private void killNodeCalls(String node) {
    sim.workers()
        .calls()
        .removeIf(call -> !call.work().toController() && call.call().node().equals(node));
  }

  /** The lowest number of a machine that nobody remembers. */
  private int nextLife(String node) {
    int life = 0;
    while (life == sim.provider().life(node) || remembered(node, life)) {
      life++;
    }
    return life;
  }

  private boolean remembered(String node, int life) {
    List<String> machines =
        sim.setup().plugins().stream().map(plugin -> Setup.machine(plugin, node, life)).toList();
    return Stream.concat(sim.provider().attached().stream(), sim.callRules().begun().stream())
            .anyMatch(one -> machines.contains(one.machine()))
        || sim.workers().calls().stream()
            .anyMatch(call -> machines.contains(String.valueOf(call.call().externalNode())))
        || sim.streams().claims().stream().anyMatch(rows -> remembers(rows, machines));
  }

  private static boolean remembers(Rows rows, List<String> machines) {
    return rows.values(ClaimTables.ATTACHMENTS).stream()
            .anyMatch(use -> machines.contains(String.valueOf(use.externalNode())))
        || rows.values(ClaimTables.CLAIMS).stream()
            .map(Claim::terms)
            .anyMatch(
                terms -> terms != null && machines.contains(String.valueOf(terms.externalNode())));
  }

  /** Tells the cluster of a node. */
  void report(String node, NodeStatus status) {
    sim.streams()
        .decide(
            new ClusterEvent.NodeReported(
                new NodeReport(node, Sim.SCHEDULER, status, true, sim.streams().now())));
    sim.settle();
  }

  /** Tells the cluster of a controller. */
  void controller(String plugin, String node, boolean healthy) {
    PluginHealth health = healthy ? PluginHealth.HEALTHY : PluginHealth.UNHEALTHY;
    instance(plugin, node, PluginRole.CONTROLLER, health, null);
  }

  /** Tells the cluster of a node instance. */
  void nodePlugin(String plugin, String node) {
    nodePlugin(plugin, node, true);
  }

  /**
   * Tells the cluster of a node instance.
   *
   * @param tellsId whether it tells the provider's id of its node
   * @return whether it makes sense: no plugin runs where no node is
   */
  boolean nodePlugin(String plugin, String node, boolean tellsId) {
    NodeView there = sim.node(node);
    if (there == null || there.status() == NodeStatus.GONE) {
      return false;
    }
    String machine = tellsId ? sim.provider().machine(plugin, node) : null;
    instance(plugin, node, PluginRole.NODE, PluginHealth.HEALTHY, machine);
    return true;
  }

  private void nodePluginGone(String plugin, String node) {
    instance(plugin, node, PluginRole.NODE, PluginHealth.REMOVED, null);
  }

  private void instance(
      String plugin, String node, PluginRole role, PluginHealth health, @Nullable String machine) {
    boolean controller = role == PluginRole.CONTROLLER;
    sim.streams()
        .decide(
            new ClusterEvent.InstanceReported(
                new InstanceReport(
                    plugin,
                    node,
                    role,
                    health,
                    "",
                    "",
                    "pool",
                    "",
                    "",
                    controller,
                    controller,
                    false,
                    !controller,
                    machine,
                    controller ? null : sim.setup().slots(),
                    Map.of(),
                    sim.streams().now())));
    sim.settle();
  }
}
