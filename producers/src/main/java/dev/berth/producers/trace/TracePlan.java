package dev.berth.producers.trace;

import java.time.Duration;
import java.util.List;

/**
 * What the pods of a trace do as allocs, decided before it begins: the same trace and plugins give
 * the same plan.
 *
 * <p><b>Allocs.</b> A pod is an alloc of the same name. It claims at its scheduled time and ends at
 * its deletion time, or with the trace where it has none. It fails where the trace says {@code
 * Failed}; of the others, by the number in its name, one of three is stopped, one unmounts before
 * it reports its end, and one just completes. The class of service gives the job type, for display:
 * {@code LS} and {@code Guaranteed} are services, {@code BE} and {@code Burstable} batch jobs. A
 * pod that was never scheduled claims nothing.
 *
 * <p><b>Nodes.</b> The trace has no placement. Pods are placed in the order of trace time, ends
 * before claims of the same second and lines of the file in their order, by requested CPU and
 * memory (GPUs are not looked at): on the node that then has least left among those used before, on
 * another only when none of those has room. A deletion gives the room back. A pod that fits nowhere
 * claims nothing and is named.
 *
 * <p><b>Volumes</b>, by the number at the end of the pod's name, modulo 20:
 *
 * <table>
 * <caption>Volumes of a pod</caption>
 * <tr><th>number</th><th>volume</th></tr>
 * <tr><td>0–7</td><td>one of {@code block}, single-node-writer</td></tr>
 * <tr><td>8–12</td><td>one of {@code shareable}, single-node-writer</td></tr>
 * <tr><td>13–15</td><td>that of its family (a hundred pods in a row), multi-node-multi-writer, in
 *     turn of {@code shareable} and of {@code files}</td></tr>
 * <tr><td>16–17</td><td>one of {@code files}, multi-node-single-writer; one of three writes</td></tr>
 * <tr><td>18–19</td><td>one as 0–7, and that of its family</td></tr>
 * </table>
 *
 * <p>Volumes with one writer are used in turn, each by many pods one after the other and on
 * whatever nodes they run, so that volumes move. One pod of three claims its volume before the
 * present user's end, if there is one in use whose user ends before the pod does: it waits. A
 * second volume is always a shared one, which nobody waits for. Whoever waits therefore holds
 * nothing that its holder waits for, and ends of allocs never depend on each other in a ring.
 *
 * @param trace what it was made from
 * @param nodes nodes that allocs run on, in the order of the node list
 * @param volumes volumes that allocs use, sorted by id
 * @param allocs allocs in the order of their claims
 * @param steps claims and ends, in order
 * @param neverScheduled pods that were never scheduled (count)
 * @param unplaced names of the pods that fit on no node
 */
public record TracePlan(
    Trace trace,
    List<String> nodes,
    List<TraceVolume> volumes,
    List<TraceAlloc> allocs,
    List<TraceStep> steps,
    int neverScheduled,
    List<String> unplaced) {

  /** Copies its lists. */
  public TracePlan {
    nodes = List.copyOf(nodes);
    volumes = List.copyOf(volumes);
    allocs = List.copyOf(allocs);
    steps = List.copyOf(steps);
    unplaced = List.copyOf(unplaced);
  }

  /** The plan for a trace. */
  public static TracePlan of(Trace trace, TracePlugins plugins) {
    return new Planning(trace, plugins).plan();
  }

  /**
   * Tells this plan from any other: made of the trace's content and of what was derived from it, so
   * that it also differs when the derivation has changed.
   */
  public String fingerprint() {
    return Fingerprint.of(trace.fingerprint(), allocs.toString(), steps.toString());
  }

  /** How many claims there will be (count). */
  public int claims() {
    return allocs.stream().mapToInt(alloc -> alloc.uses().size()).sum();
  }

  /** How many allocs wait for a volume in trace time (count). */
  public int waits() {
    return (int) allocs.stream().filter(alloc -> alloc.waitsBehind().isPresent()).count();
  }

  /** The most allocs that live at the same time (count). */
  public int mostLive() {
    int live = 0;
    int most = 0;
    for (TraceStep step : steps) {
      live += step.kind() == TraceStep.Kind.CLAIM ? 1 : -1;
      most = Math.max(most, live);
    }
    return most;
  }

  /** From the first claim to the last end, in trace time. */
  public Duration span() {
    return steps.isEmpty()
        ? Duration.ZERO
        : steps.get(steps.size() - 1).at().minus(steps.get(0).at());
  }
}
