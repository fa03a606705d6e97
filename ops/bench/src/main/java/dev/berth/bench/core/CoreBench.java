package dev.berth.bench.core;

import dev.berth.bench.Bench;
import dev.berth.bench.machine.LoadMeter;
import dev.berth.bench.measure.Interleaving;
import dev.berth.bench.report.Section;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Time and bytes of decisions. */
public final class CoreBench implements Bench {
  private static final String BYTES = "gc.alloc.rate.norm";

  /**
   * How long it measures.
   *
   * @param sizes claims on the volume, calls in the lane (counts)
   * @param others claims and calls beside them (counts)
   * @param rounds JVMs for each case (count)
   * @param warmups seconds of warming up in each
   * @param seconds seconds of measuring in each
   */
  record Effort(List<Integer> sizes, List<Integer> others, int rounds, int warmups, int seconds) {
    static final Effort FULL = new Effort(List.of(1, 10, 100, 1000), List.of(0, 100_000), 3, 3, 3);
    static final Effort QUICK = new Effort(List.of(1, 100), List.of(0, 10_000), 1, 1, 1);
  }

  /**
   * What one JVM measured.
   *
   * @param nanos time of a decision (nanoseconds)
   * @param bytes memory allocated for a decision (bytes)
   */
  record Cost(double nanos, double bytes) {}

  /** Ready to measure. */
  public CoreBench() {}

  @Override
  public String name() {
    return "core";
  }

  @Override
  public Section run(boolean quick, Interleaving.Watch watch) throws Exception {
    Effort effort = quick ? Effort.QUICK : Effort.FULL;
    long began = System.nanoTime();
    Map<CoreCase, List<Interleaving.Measured<Cost>>> costs =
        new Interleaving(new LoadMeter(), watch)
            .run(
                CoreCase.all(effort.sizes(), effort.others()),
                effort.rounds(),
                one -> measure(one, effort));
    return new CoreFindings(costs, effort)
        .section(settings(effort), Duration.ofNanos(System.nanoTime() - began));
  }

  private static Map<String, String> settings(Effort effort) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("JVMs for each case", String.valueOf(effort.rounds()));
    settings.put("warm-up", effort.warmups() + " s");
    settings.put("measured", effort.seconds() + " s");
    settings.put("nodes", String.valueOf(Cluster.NODES));
    return settings;
  }

  /** In a JVM of its own: what one case taught the compiler must not help or hurt another. */
  private static Cost measure(CoreCase one, Effort effort) throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include("^" + one.decider().benchmark().getName().replace(".", "\\.") + "\\.decide$")
            .param("event", one.event())
            .param(one.decider().sized(), String.valueOf(one.size()))
            .param("others", String.valueOf(one.others()))
            .forks(1)
            .warmupIterations(effort.warmups())
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(effort.seconds())
            .measurementTime(TimeValue.seconds(1))
            .addProfiler(GCProfiler.class)
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .build();
    Collection<RunResult> results = new Runner(options).run();
    RunResult result = results.iterator().next();
    return new Cost(result.getPrimaryResult().getScore(), bytes(result));
  }

  private static double bytes(RunResult result) {
    // Older versions put a dot before the names of what profilers found.
    for (String name : result.getSecondaryResults().keySet()) {
      if (name.endsWith(BYTES)) {
        return result.getSecondaryResults().get(name).getScore();
      }
    }
    throw new IllegalStateException("JMH's gc profiler gave no " + BYTES);
  }
}
