package dev.berth.ops.explore;

import dev.berth.records.ClientStatus;
import dev.berth.records.NodeStatus;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.Volume;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.kernel.Table;
import dev.berth.streams.lanes.LaneTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How everything ends well: all faults are lifted, all allocs end, clients unmount, every call is
 * answered OK, and time passes. Then nothing may be left anywhere. The same steps from the same
 * scene, always.
 */
final class Healing {
  private final Duration tick;
  private final int rounds;

  /**
   * A way to heal.
   *
   * @param tick time between two looks
   * @param rounds most looks before it counts as failed (count)
   */
  Healing(Duration tick, int rounds) {
    this.tick = tick;
    this.rounds = rounds;
  }

  /** Lifts all faults. */
  void lift(Sim sim) {
    sim.deliveries().deliverAll();
    while (!sim.workers().late().isEmpty()) {
      sim.apply(new Step.LateReport());
      sim.deliveries().deliverAll();
    }
    for (String plugin : sim.setup().plugins()) {
      sim.apply(new Step.Operator(new Command.ResumePlugin(plugin)));
      for (InstanceView controller : ClusterTables.controllers(sim.streams().cluster(), plugin)) {
        if (!controller.healthy()) {
          sim.apply(new Step.Controller(plugin, controller.node(), true));
        }
      }
    }
    for (String id : sim.setup().nodes()) {
      NodeView node = sim.node(id);
      sim.apply(new Step.Node(id, NodeStatus.READY));
      if (node != null && node.fenced()) {
        sim.apply(new Step.Operator(new Command.UnfenceNode(id)));
      }
      sim.deliveries().deliverAll();
      for (String plugin : sim.setup().plugins()) {
        InstanceView told = ClusterTables.nodeInstance(sim.streams().cluster(), plugin, id);
        if (told != null && told.externalNode() == null) {
          sim.apply(new Step.NodePlugin(plugin, id, true));
        }
      }
      sim.deliveries().deliverAll();
    }
  }

  /**
   * One look: allocs end, clients unmount, calls are answered, time passes.
   *
   * @return whether nothing is left to do
   */
  boolean round(Sim sim) {
    for (Alloc alloc : sim.clients().allocs()) {
      sim.apply(new Step.Status(alloc.id(), ClientStatus.COMPLETE));
    }
    for (Provider.Mount mount : sim.provider().mounts()) {
      sim.apply(new Step.Unmounted(mount.alloc(), mount.volume()));
    }
    sim.deliveries().deliverAll();
    for (int i = 0; i < 100 && !sim.workers().calls().isEmpty(); i++) {
      sim.apply(new Step.Answer(sim.workers().calls().get(0).text(), Ending.OK));
      sim.deliveries().deliverAll();
    }
    if (left(sim).isEmpty()) {
      return true;
    }
    sim.apply(new Step.Time(tick));
    sim.deliveries().deliverAll();
    return false;
  }

  /**
   * Heals a world.
   *
   * @return what is left, in words; empty when nothing is
   */
  List<String> heal(Sim sim) {
    lift(sim);
    for (int i = 0; i < rounds && sim.broken().isEmpty(); i++) {
      if (round(sim)) {
        return List.of();
      }
    }
    return left(sim);
  }

  /** What is left in the tables and at the provider. */
  static List<String> left(Sim sim) {
    List<String> left = new ArrayList<>();
    for (VolumeSpec volume : sim.setup().volumes()) {
      Rows rows = sim.streams().claims(volume.volume());
      note(rows, ClaimTables.CLAIMS, left);
      note(rows, ClaimTables.ATTACHMENTS, left);
      Volume registered = rows.get(ClaimTables.VOLUMES, volume.key());
      if (registered != null && registered.access() != null) {
        left.add("mode of " + volume.key() + ": " + registered.access());
      }
    }
    note(sim.streams().lanes(), LaneTables.REQUESTS, left);
    note(sim.streams().lanes(), LaneTables.ATTEMPTS, left);
    note(sim.streams().lanes(), LaneTables.SLOTS, left);
    sim.provider().attached().forEach(one -> left.add("at the provider: " + one));
    return left;
  }

  private static void note(Rows rows, Table<?> table, List<String> left) {
    rows.values(table).forEach(value -> left.add(table.name() + ": " + value));
  }
}
