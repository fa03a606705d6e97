package dev.berth.ops.explore;

import dev.berth.streams.cluster.ClusterClock;
import dev.berth.streams.cluster.Fence;
import dev.berth.streams.cluster.NodeView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The tables of the cluster, and a copy of them, as seen from now. */
final class CanonicalCluster {
  /** When a fence of an earlier outage was given: only what came before and after it matters. */
  private static final Instant EARLIER = Sim.BEGIN.minus(Duration.ofHours(12));

  /** Incarnation of every node as it is now. */
  static final long INCARNATION = 10;

  private CanonicalCluster() {}

  static Rows of(Rows rows, Shift shift) {
    List<Rows.Row> made = new ArrayList<>();
    for (Rows.Row row : rows.all()) {
      Object value = row.value();
      if (value instanceof NodeView node) {
        value = node(node, shift);
      } else if (value instanceof ClusterClock) {
        value = new ClusterClock(Sim.BEGIN, Sim.BEGIN);
      }
      made.add(new Rows.Row(row.table(), row.key(), value));
    }
    return Rows.of(made);
  }

  private static NodeView node(NodeView node, Shift shift) {
    Instant lost = node.contactLostAt();
    return new NodeView(
        node.node(),
        node.scheduler(),
        node.status(),
        node.eligible(),
        INCARNATION,
        lost == null ? null : shift.ago(lost, Sim.PROMISE),
        node.fenced() ? new Fence("", "", fencedAt(node)) : null);
  }

  /** When the fence of a node was given, as seen from now. */
  static Instant fencedAt(NodeView node) {
    return node.vouchedFor() ? Sim.BEGIN : EARLIER;
  }
}
