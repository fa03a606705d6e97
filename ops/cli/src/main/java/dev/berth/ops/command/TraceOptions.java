package dev.berth.ops.command;

import dev.berth.producers.trace.Trace;
import dev.berth.producers.trace.TracePlan;
import dev.berth.producers.trace.TracePlugins;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which trace is replayed. */
public final class TraceOptions {

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = {
        "Pods of a cluster trace (CSV), with --nodes.",
        "Default: a sample of a few hundred pods that comes with Berth."
      })
  private @Nullable Path pods;

  @Option(
      names = "--nodes",
      paramLabel = "FILE",
      description = "Nodes of that trace (CSV), with --trace.")
  private @Nullable Path nodes;

  @Option(
      names = "--pods",
      paramLabel = "COUNT",
      description = "Only so many pods, the first of the trace (default: all).")
  private @Nullable Integer most;

  /**
   * Reads the trace and plans its replay.
   *
   * @throws RuntimeException naming file, line, value and remedy, or the option
   */
  public TracePlan plan() {
    TracePlan plan = TracePlan.of(shortened(trace()), TracePlugins.usual());
    if (plan.allocs().isEmpty()) {
      throw new IllegalArgumentException(
          "no pod of %s was scheduled: there is nothing to replay; give another --trace, or more --pods"
              .formatted(plan.trace().source()));
    }
    return plan;
  }

  private Trace trace() {
    if (pods == null && nodes == null) {
      return Trace.sample();
    }
    if (pods == null || nodes == null) {
      throw new IllegalArgumentException(
          "--trace and --nodes go together: the trace has no placement of its own");
    }
    return Trace.read(pods, nodes);
  }

  private Trace shortened(Trace trace) {
    if (most == null || most >= trace.pods().size()) {
      return trace;
    }
    if (most < 1) {
      throw new IllegalArgumentException("--pods %d: give at least 1".formatted(most));
    }
    return new Trace(
        trace.source(), trace.fingerprint(), trace.pods().subList(0, most), trace.nodes());
  }
}
