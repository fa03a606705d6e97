package dev.berth.ops.explore;

import dev.berth.records.CsiCall;
import dev.berth.records.NodeStatus;
import dev.berth.streams.claims.Attachment;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.command.Command;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operators who do what they vouch for before they say it: a command that rests on somebody's word
 * is only as good as that.
 */
final class Operators {
  private Operators() {}

  /**
   * Looks whether a command makes sense, and does what it vouches for.
   *
   * @return whether it is given
   */
  static boolean looks(Sim sim, Command.Body body) {
    if (body instanceof Command.AssumeDetached assume) {
      return detachesByHand(sim, assume);
    } else if (body instanceof Command.UnblockVolume unblock) {
      stopsWorkloads(sim, unblock.volume());
    } else if (body instanceof Command.FenceNode fence) {
      NodeView node = sim.node(fence.node());
      if (node != null && !node.ready() && !node.fenced()) {
        sim.workers()
            .calls()
            .removeIf(
                call -> !call.work().toController() && call.call().node().equals(fence.node()));
      }
    }
    return true;
  }

  private static boolean detachesByHand(Sim sim, Command.AssumeDetached assume) {
    List<Claim> rows = sim.countingOn(assume.volume(), assume.node());
    Attachment use = sim.attachment(assume.volume(), assume.node());
    boolean attaching =
        (use != null && use.requesting(CsiCall.CONTROLLER_PUBLISH))
            || rows.stream().anyMatch(row -> row.requestCall() == CsiCall.CONTROLLER_PUBLISH);
    boolean live = rows.stream().anyMatch(row -> row.ending() == null);
    if (attaching || live || (rows.isEmpty() && use == null)) {
      return false;
    }
    sim.provider().detachedByHand(assume.volume(), assume.node());
    sim.callRules().detachedByHand(assume.volume(), assume.node());
    return true;
  }

  /** Nothing of the volume runs on lost nodes any more. */
  private static void stopsWorkloads(Sim sim, String volume) {
    for (String node : sim.setup().nodes()) {
      NodeView told = sim.streams().volumesView().get(ClusterTables.NODES, node);
      if (lost(sim.node(node)) || lost(told)) {
        sim.provider().stopped(volume, node);
      }
    }
  }

  private static boolean lost(@Nullable NodeView node) {
    return node != null
        && (node.status() == NodeStatus.DOWN || node.status() == NodeStatus.DISCONNECTED);
  }
}
