package dev.berth.ops.explore;

import dev.berth.records.ClientStatus;
import java.util.List;

/**
 * An alloc as its scheduler knows it.
 *
 * @param id alloc id
 * @param node where it runs
 * @param promises whether it stops itself some time after its node was cut off
 * @param status what its client last reported
 * @param gone whether the scheduler has forgotten it
 * @param index number of the last statement about it
 * @param volumes volumes that it has asked for, in the order in which it did
 */
record Alloc(
    String id,
    String node,
    boolean promises,
    ClientStatus status,
    boolean gone,
    long index,
    List<String> volumes) {

  /** Keeps a copy. */
  Alloc {
    volumes = List.copyOf(volumes);
  }

  /** Whether its workload has ended. */
  boolean over() {
    return status == ClientStatus.COMPLETE
        || status == ClientStatus.FAILED
        || status == ClientStatus.LOST;
  }
}
