package dev.berth.streams.claims;

import dev.berth.records.NodeStatus;
import dev.berth.records.NodeStep;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the loss of a node proves about the mounts on it (domain.md, "Nodes"). The default trusts
 * nobody's timer but the alloc's own promise: a node that is merely down may still write
 * (nomad#8683, nomad#13264).
 */
final class NodeLoss {
  /** End of the times that rows and keys can hold: nobody waits for what is due later. */
  private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

  private NodeLoss() {}

  /**
   * Why a claim's mount on its node counts as undone although nobody unmounted it.
   *
   * @param node the claim's node; null when it was never heard of, which proves nothing
   * @return null when it may still be mounted
   */
  static @Nullable NodeStep unmounted(
      @Nullable NodeView node, Claim claim, Policy policy, Instant now) {
    if (node == null || node.ready()) {
      return null;
    }
    if (node.status() == NodeStatus.GONE) {
      return NodeStep.NODE_GONE;
    }
    if (node.vouchedFor()) {
      return NodeStep.FENCED;
    }
    if (!down(node)) {
      // A promise too counts only once the scheduler has given the node up (S24a, S24b): what is
      // disconnected is not lost.
      return null;
    }
    return switch (policy.nodeLoss()) {
      case DETACH -> NodeStep.POLICY;
      case HOLD -> null;
      case STOP_ON_DISCONNECT -> {
        Instant due = promiseDue(node, claim, policy);
        yield due != null && !now.isBefore(due) ? NodeStep.POLICY : null;
      }
    };
  }

  /**
   * When the alloc will have stopped itself by its own promise, counted from the first loss of
   * contact.
   *
   * @return null when there is no promise that counts, or contact is not lost. One that runs out
   *     after the end of all times does not count: it is any number a scheduler may write
   */
  static @Nullable Instant promiseDue(@Nullable NodeView node, Claim claim, Policy policy) {
    Duration promise = claim.ask().stopOnDisconnect();
    if (promise == null
        || node == null
        || policy.nodeLoss() != Policy.NodeLoss.STOP_ON_DISCONNECT) {
      return null;
    }
    Instant lost = node.contactLostAt();
    return lost == null || promise.compareTo(Duration.between(lost, LAST)) > 0
        ? null
        : lost.plus(promise);
  }

  /** Whether the scheduler gave the node up, so that nothing can be asked of it. */
  static boolean down(@Nullable NodeView node) {
    return node != null && node.status() == NodeStatus.DOWN;
  }
}
