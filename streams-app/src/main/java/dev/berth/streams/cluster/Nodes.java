package dev.berth.streams.cluster;

import dev.berth.records.NodeStatus;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.Refusal;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The life of nodes (domain.md, "Nodes"): status, incarnation, first loss of contact, fences.
 *
 * <pre>
 *             ┌────────────── back, contact void ─────────────┐
 *             ▼                                               │
 *  heard ─► ready ──► disconnected ──► down ──► gone ─────────┤
 *             │            ▲             │  └──── deleted      │
 *             └────────────┴── incarnation + 1 ───────────────┘
 *                              on leaving down or gone, or on
 *                              coming back under a fence
 * </pre>
 */
final class Nodes {
  private Nodes() {}

  /** A scheduler says something of a node. */
  static void report(ClusterDraft draft, NodeReport report) {
    NodeView before = ClusterTables.node(draft.tables(), report.node());
    String problem = problem(report, before);
    if (problem != null) {
      draft.reject(problem);
      return;
    }
    NodeView after =
        before == null
            ? first(report, draft.now())
            : new NodeView(
                report.node(),
                report.scheduler(),
                report.status(),
                report.eligible(),
                incarnation(before, report.status()),
                contactLostAt(before, report.status(), draft.now()),
                before.fence());
    change(draft, before, after);
  }

  /** A node's record was deleted, which nobody has to explain. */
  static void delete(ClusterDraft draft, String node) {
    String problem = Ids.problem("node", node);
    if (problem != null) {
      draft.reject(problem);
      return;
    }
    NodeView before = ClusterTables.node(draft.tables(), node);
    NodeReport gone =
        new NodeReport(
            node,
            before == null ? "" : before.scheduler(),
            NodeStatus.GONE,
            before != null && before.eligible(),
            draft.now());
    // A tombstone for a node never heard of is knowledge all the same: rows may still name it.
    report(draft, gone);
  }

  /** An operator vouches that a node can no longer write. */
  static void fence(ClusterDraft draft, Command command, String node) {
    NodeView before = ClusterTables.node(draft.tables(), node);
    if (before == null) {
      draft.refuse(command, Refusal.NOT_FOUND, unknown(node));
    } else if (before.ready()) {
      // The wrong name must not take a disk from under a living node (kubernetes#65392).
      draft.refuse(
          command,
          Refusal.NODE_ALIVE,
          "node '%s' is ready: its workloads may be writing. Stop it first, or check its name"
              .formatted(node));
    } else if (before.vouchedFor()) {
      draft.refuse(
          command, Refusal.NO_CHANGE, "node '%s' is fenced: %s".formatted(node, words(before)));
    } else {
      // A fence of an earlier outage says nothing of this one, but what it left mounted is owed on.
      Fence earlier = before.fence();
      Instant owedSince = earlier == null ? draft.now() : earlier.owedSince();
      Fence fence = new Fence(command.by(), command.reason(), draft.now(), owedSince);
      change(draft, before, with(before, before.incarnation(), fence));
      draft.done(
          command,
          "node '%s' (%s) is fenced: its claims end without their unmounts"
              .formatted(node, status(before)));
    }
  }

  /** An operator says that a node is clean. */
  static void unfence(ClusterDraft draft, Command command, String node) {
    NodeView before = ClusterTables.node(draft.tables(), node);
    if (before == null) {
      draft.refuse(command, Refusal.NOT_FOUND, unknown(node));
    } else if (!before.fenced()) {
      draft.refuse(command, Refusal.NO_CHANGE, "node '%s' is not fenced".formatted(node));
    } else {
      // Work from before the fence must not be carried out after it. A node that is back has
      // risen when it came; one that comes back later could no longer be told from one that was
      // never fenced.
      long incarnation = before.ready() ? before.incarnation() : before.incarnation() + 1;
      change(draft, before, with(before, incarnation, null));
      draft.done(
          command,
          "node '%s' (%s) is clean: claims for it no longer wait for old unmounts"
              .formatted(node, status(before)));
    }
  }

  private static @Nullable String problem(NodeReport report, @Nullable NodeView before) {
    String problem = Ids.problem("node", report.node());
    if (problem != null) {
      return problem;
    }
    if (report.status() == NodeStatus.UNRECOGNIZED) {
      return "status of node '%s' is one that this version does not know: update Berth first"
          .formatted(report.node());
    }
    // One scheduler's word that a node is lost must not free what another's workloads use.
    if (before == null
        || before.status() == NodeStatus.GONE
        || before.scheduler().equals(report.scheduler())) {
      return null;
    }
    return ("node '%s' belongs to scheduler '%s', not '%s': give the nodes of each scheduler ids of"
            + " their own, or delete the record first if the scheduler was renamed")
        .formatted(report.node(), before.scheduler(), report.scheduler());
  }

  private static NodeView first(NodeReport report, Instant now) {
    boolean ready = report.status() == NodeStatus.READY;
    return new NodeView(
        report.node(),
        report.scheduler(),
        report.status(),
        report.eligible(),
        1,
        ready ? null : now,
        null);
  }

  private static long incarnation(NodeView before, NodeStatus status) {
    boolean heard = status == NodeStatus.READY || status == NodeStatus.DISCONNECTED;
    boolean backUnderFence = before.fenced() && !before.ready() && status == NodeStatus.READY;
    return (before.lost() && heard) || backUnderFence
        ? before.incarnation() + 1
        : before.incarnation();
  }

  /** Kept through the whole outage: promises to stop count from its beginning (KEP-2268). */
  private static @Nullable Instant contactLostAt(NodeView before, NodeStatus status, Instant now) {
    if (status == NodeStatus.READY) {
      return null;
    }
    if (before.contactLostAt() != null) {
      return before.contactLostAt();
    }
    // A fence of an earlier outage is older than this one, also within a millisecond.
    Fence earlier = before.fence();
    return earlier == null || earlier.at().isBefore(now) ? now : earlier.at().plusMillis(1);
  }

  private static NodeView with(NodeView node, long incarnation, @Nullable Fence fence) {
    return new NodeView(
        node.node(),
        node.scheduler(),
        node.status(),
        node.eligible(),
        incarnation,
        node.contactLostAt(),
        fence);
  }

  private static void change(ClusterDraft draft, @Nullable NodeView before, NodeView after) {
    if (!after.equals(before)) {
      draft.announce(new ClusterSignal.NodeChanged(after));
    }
  }

  private static String unknown(String node) {
    return "no scheduler has ever reported a node '%s': check its name".formatted(node);
  }

  private static String words(NodeView node) {
    Fence fence = node.fence();
    return fence == null ? "" : "by %s, %s".formatted(fence.by(), fence.reason());
  }

  private static String status(NodeView node) {
    return node.status().name().toLowerCase(Locale.ROOT);
  }
}
