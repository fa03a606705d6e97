package dev.berth.streams.cluster;

import dev.berth.records.NodeStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A node as every processor sees it. A deleted node stays as {@link NodeStatus#GONE}: that it is
 * gone is knowledge, that it was never heard of is none.
 *
 * @param node node id (scheduler's)
 * @param scheduler scheduler that owns it
 * @param status what the scheduler says of it
 * @param eligible whether new work is placed there; says nothing about the controllers that run
 *     there (nomad#17756)
 * @param incarnation rises each time the node comes back after it was down, gone or fenced
 * @param contactLostAt when contact was first lost in the present outage; null while ready
 * @param fence fence in force; null when none
 */
public record NodeView(
    String node,
    String scheduler,
    NodeStatus status,
    boolean eligible,
    long incarnation,
    @Nullable Instant contactLostAt,
    @Nullable Fence fence) {

  /** Whether the scheduler hears the node. */
  public boolean ready() {
    return status == NodeStatus.READY;
  }

  /**
   * Whether the scheduler gave the node up, for now or for good: nothing is to be attached to it.
   */
  public boolean lost() {
    return status == NodeStatus.DOWN || status == NodeStatus.GONE;
  }

  /** Whether a fence is in force: it stays until somebody lifts it, also when the node is back. */
  public boolean fenced() {
    return fence != null;
  }

  /**
   * Whether an operator vouches that the node, as it is now, can no longer write. A fence says so
   * of the outage in which it was given: once the node was back, workloads may have started there
   * that nobody has vouched for.
   */
  public boolean vouchedFor() {
    return fence != null
        && contactLostAt != null
        && !ready()
        && !fence.at().isBefore(contactLostAt);
  }

  /**
   * Whether what is known of the node says anything of what a scheduler has there. Another
   * scheduler's word that a node is lost does not (domain.md, life cycle 6); that it can be reached
   * does, and so does an operator's fence, which speaks of the machine.
   *
   * @param of the scheduler; null when it is not known whose something is, so that everything said
   *     of its node counts
   */
  public boolean speaksFor(@Nullable String of) {
    return of == null || ready() || vouchedFor() || scheduler.isEmpty() || scheduler.equals(of);
  }
}
