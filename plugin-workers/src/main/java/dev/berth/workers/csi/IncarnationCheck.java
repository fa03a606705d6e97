package dev.berth.workers.csi;

import java.util.Optional;

/**
 * Whether work is meant for a node as it is now. A node that comes back after a fence must not
 * carry out what was meant for the node before it.
 */
@FunctionalInterface
public interface IncarnationCheck {

  /**
   * Returns why work of this incarnation may not be carried out, or empty when it may. Asked for
   * each call anew, from many threads; it may take seconds.
   *
   * @param node node id (scheduler's)
   * @param incarnation incarnation that the work names
   */
  Optional<String> refusal(String node, long incarnation);

  /** Returns the check that accepts all work: for a worker that serves no node. */
  static IncarnationCheck none() {
    return (node, incarnation) -> Optional.empty();
  }
}
