package dev.berth.bench.isolation;

import dev.berth.bench.isolation.IsolationBench.Beside;
import dev.berth.bench.latency.LatencyRun;
import dev.berth.bench.latency.Way;
import dev.berth.bench.load.Latencies;
import dev.berth.bench.measure.Interleaving.Measured;
import dev.berth.bench.measure.Measure;
import dev.berth.bench.measure.Spread;
import dev.berth.bench.report.Goal;
import dev.berth.bench.report.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What others take from each other. */
final class IsolationFindings {
  private static final String ABOUT =
      "Claims and ends on 99 plugins at fixed times, in turn with and without one plugin more that "
          + "answers none of its calls; latency from when the event was due. Then a burst of detaches "
          + "of one plugin, and a claim once half of them wait in its lane: how long until its "
          + "attach starts, in times of a call.";

  private static final double TAIL = 99;
  private static final double TWO_CALLS = 2;

  private final IsolationBench.Results results;

  IsolationFindings(IsolationBench.Results results) {
    this.results = results;
  }

  Section section(Map<String, String> settings, Duration took) {
    List<Measure> measures = new ArrayList<>();
    for (Beside beside : Beside.values()) {
      for (Way way : Way.values()) {
        String name = beside + ", " + way.word();
        measures.add(Measure.of(name + ": p50", "ms", lives(beside), at(way, 50)));
        measures.add(Measure.of(name + ": p99", "ms", lives(beside), at(way, TAIL)));
      }
    }
    measures.add(
        Measure.of(
            "attach in a burst of detaches: wait",
            "times of a call",
            results.bursts(),
            DetachBurst.Found::calls));
    measures.add(
        Measure.of(
            "attach in a burst of detaches: detaches before it",
            "calls",
            results.bursts(),
            DetachBurst.Found::before));
    double worst = Spread.of(results.bursts(), DetachBurst.Found::calls).max();
    List<Goal> goals =
        List.of(
            new Goal(
                "attach in a burst of detaches, longest wait",
                Goal.Bound.AT_MOST,
                TWO_CALLS,
                worst,
                "times of a call"));
    List<String> notes =
        List.of(
            "p99 with one plugin that hangs over p99 without, attach: %.2f"
                .formatted(
                    median(Beside.ONE_THAT_HANGS, Way.ATTACH) / median(Beside.NOBODY, Way.ATTACH)));
    return new Section("isolation", ABOUT, settings, measures, goals, List.of(), notes, took);
  }

  private List<Measured<LatencyRun>> lives(Beside beside) {
    return results.lives().getOrDefault(beside, List.of());
  }

  private double median(Beside beside, Way way) {
    return Spread.of(lives(beside), at(way, TAIL)).median();
  }

  private static ToDoubleFunction<LatencyRun> at(Way way, double percentile) {
    return run ->
        run.latencies().getOrDefault(way, new Latencies()).percentile(percentile).toNanos() / 1e6;
  }
}
