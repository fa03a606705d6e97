package dev.berth.producers.trace;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Traces for tests. */
final class Traces {

  private Traces() {}

  static TracePlan plan(List<TraceNode> nodes, List<TracePod> pods) {
    return TracePlan.of(new Trace("test", "fingerprint", pods, nodes), TracePlugins.usual());
  }

  static TracePlan sample() {
    return TracePlan.of(Trace.sample(), TracePlugins.usual());
  }

  static TraceNode node(String id, long cpuMilli, long memoryMib) {
    return new TraceNode(id, cpuMilli, memoryMib);
  }

  /** A pod of one core and a GiB. */
  static TracePod pod(String name, long from, long until) {
    return new TracePod(
        name,
        1_000,
        1_024,
        "LS",
        "Running",
        Optional.of(Duration.ofSeconds(from)),
        Optional.of(Duration.ofSeconds(until)));
  }

  static TracePod neverScheduled(String name) {
    return new TracePod(name, 1_000, 1_024, "LS", "Pending", Optional.empty(), Optional.empty());
  }
}
