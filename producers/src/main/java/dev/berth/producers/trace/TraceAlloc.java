package dev.berth.producers.trace;

import dev.berth.records.JobType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What one pod of a trace does as an alloc.
 *
 * @param number its place in the order of the claims, from 0
 * @param id alloc id: the pod's name
 * @param node where it runs
 * @param uses its volumes, one or two; at most the first is one it may have to wait for
 * @param job job name, for display: the pod's family
 * @param jobType job type, for display
 * @param claims when it claims, from the beginning of the trace
 * @param ends when it ends, from the beginning of the trace; not before it was granted
 * @param end how it ends
 * @param waitsBehind the alloc that holds its first volume in trace time when it claims; empty when
 *     the volume is free or shared
 */
public record TraceAlloc(
    int number,
    String id,
    String node,
    List<TraceUse> uses,
    String job,
    JobType jobType,
    Duration claims,
    Duration ends,
    TraceEnd end,
    Optional<String> waitsBehind) {

  /** Copies the list. */
  public TraceAlloc {
    uses = List.copyOf(uses);
  }
}
