package dev.berth.workers.csi;

/**
 * Whether work is meant for a node as it is now. A node that comes back after a fence must not
 * carry out what was meant for the node before it.
 */
@FunctionalInterface
public interface IncarnationCheck {

  /**
   * Returns whether work of this incarnation may be carried out.
   *
   * @param node node id (scheduler's)
   * @param incarnation incarnation that the work names
   */
  boolean accepts(String node, long incarnation);

  /** Returns the check that accepts all work: for workers that are told nothing of incarnations. */
  static IncarnationCheck none() {
    return (node, incarnation) -> true;
  }
}
