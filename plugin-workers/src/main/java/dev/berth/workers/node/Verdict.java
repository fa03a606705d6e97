package dev.berth.workers.node;

import dev.berth.records.NodeStatus;
import dev.berth.records.NodeView;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether node work may be carried out (architecture, "How a controller RPC becomes exactly one
 * open call", 8): a node that comes back must not carry out what was meant before it was given up
 * or fenced.
 */
sealed interface Verdict {

  /** It may. */
  record Meant() implements Verdict {}

  /**
   * It may not.
   *
   * @param why in words
   */
  record Refused(String why) implements Verdict {}

  /**
   * The view is older than the work, which was dispatched by a later one: both were written in one
   * transaction, whose parts become readable one by one.
   *
   * @param why in words, for when no newer view comes
   */
  record Behind(String why) implements Verdict {}

  /**
   * Judges.
   *
   * @param node node of the work
   * @param incarnation incarnation that the work names
   * @param view latest view of the node; empty when nothing is known of it
   */
  static Verdict of(String node, long incarnation, Optional<NodeView> view) {
    String meant = "meant for incarnation %d of node %s, ".formatted(incarnation, node);
    if (view.isEmpty()) {
      return new Behind(meant + "of which nothing is known");
    }
    NodeView now = view.get();
    if (now.getIncarnation() < incarnation) {
      return new Behind(meant + "of which only %d is known".formatted(now.getIncarnation()));
    }
    if (now.getIncarnation() > incarnation) {
      return new Refused(meant + "which is %d now".formatted(now.getIncarnation()));
    }
    return isOver(now)
        ? new Refused(meant + "which has ended: the node is " + state(now))
        : new Meant();
  }

  /** Whether the node will have another incarnation when it is back (Cluster, "Incarnation"). */
  private static boolean isOver(NodeView view) {
    return switch (view.getStatus()) {
      case DOWN, GONE -> true;
      case DISCONNECTED, UNRECOGNIZED -> view.getFence().isPresent();
      case READY -> false;
    };
  }

  private static String state(NodeView view) {
    String fenced = view.getFence().isPresent() ? " and fenced" : "";
    NodeStatus status = view.getStatus();
    return status.name().toLowerCase(Locale.ROOT) + fenced;
  }
}
