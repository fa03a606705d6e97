package dev.berth.bench.latency;

import dev.berth.bench.latency.LatencyBench.Case;
import dev.berth.bench.load.Latencies;
import dev.berth.bench.measure.Interleaving.Measured;
import dev.berth.bench.measure.Measure;
import dev.berth.bench.measure.Spread;
import dev.berth.bench.report.Goal;
import dev.berth.bench.report.Plot;
import dev.berth.bench.report.Section;
import dev.berth.schemas.headers.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What the latencies say. */
final class LatencyFindings {
  private static final String ABOUT =
      "Claims and ends of allocs at fixed times, answered or not; latency counts from when the "
          + "event was due. The bare pipeline is the scheduler's library, two exactly-once hops with "
          + "a store each and the settings of Berth's application, and a consumer with an accept "
          + "transaction; it decides nothing and calls nobody. Both in turn on the same brokers.";

  private static final double MEDIAN = 50;
  private static final double TAIL = 99;
  private static final double MOST_OVER_BARE = 1.25;

  private final Map<Case, List<Measured<LatencyRun>>> runs;
  private final List<Integer> rates;

  LatencyFindings(Map<Case, List<Measured<LatencyRun>>> runs, List<Integer> rates) {
    this.runs = runs;
    this.rates = rates;
  }

  Section section(Map<String, String> settings, Duration took) {
    List<Measure> measures = new ArrayList<>();
    runs.forEach(
        (one, measured) -> {
          for (Way way : Way.values()) {
            if (has(one, way)) {
              String name = one + ", " + way.word();
              measures.add(Measure.of(name + ": p50", "ms", measured, at(way, MEDIAN)));
              measures.add(Measure.of(name + ": p99", "ms", measured, at(way, TAIL)));
              measures.add(
                  Measure.of(
                      name + ": longest", "ms", measured, run -> millis(of(run, way).longest())));
            }
          }
          measures.addAll(steps(one, measured));
          measures.add(
              Measure.of(one + ": sent late by", "ms", measured, run -> millis(run.lateness())));
        });
    List<Goal> goals = new ArrayList<>();
    for (int rate : rates) {
      for (Way way : Way.values()) {
        goals.addAll(goals(rate, way));
      }
    }
    List<Plot> plots =
        List.of(plot("latency-p50.svg", "p50", MEDIAN), plot("latency-p99.svg", "p99", TAIL));
    return new Section("latency", ABOUT, settings, measures, goals, plots, List.of(), took);
  }

  private static List<Measure> steps(Case one, List<Measured<LatencyRun>> measured) {
    return Stream.of(Step.values())
        .filter(step -> measured.stream().allMatch(it -> it.result().steps().containsKey(step)))
        .map(
            step ->
                Measure.of(
                    "%s, on the way to a grant, until %s: p50"
                        .formatted(one, step.name().toLowerCase(Locale.ROOT).replace('_', '-')),
                    "ms",
                    measured,
                    run -> millis(step(run, step).percentile(MEDIAN))))
        .toList();
  }

  private static Latencies step(LatencyRun run, Step step) {
    return run.steps().getOrDefault(step, new Latencies());
  }

  private boolean has(Case one, Way way) {
    return runs.getOrDefault(one, List.of()).stream()
        .allMatch(it -> it.result().latencies().containsKey(way));
  }

  private List<Goal> goals(int rate, Way way) {
    Case berth = new Case(false, rate);
    Case bare = new Case(true, rate);
    List<Goal> goals = new ArrayList<>();
    String name = berth + ", " + way.word();
    goals.add(
        new Goal(
            name + ": p50",
            Goal.Bound.AT_MOST,
            rate > 100 ? 120 : 80,
            spread(berth, at(way, MEDIAN)).median(),
            "ms"));
    if (rate <= 100) {
      goals.add(
          new Goal(
              name + ": p99",
              Goal.Bound.AT_MOST,
              250,
              spread(berth, at(way, TAIL)).median(),
              "ms"));
    }
    if (has(bare, way)) {
      goals.add(
          new Goal(
              name + ": p50 over that of the bare pipeline",
              Goal.Bound.AT_MOST,
              MOST_OVER_BARE,
              spread(berth, at(way, MEDIAN)).median() / spread(bare, at(way, MEDIAN)).median(),
              ""));
    }
    return goals;
  }

  private Spread spread(Case one, ToDoubleFunction<LatencyRun> of) {
    return Spread.of(runs.getOrDefault(one, List.of()), of);
  }

  private static ToDoubleFunction<LatencyRun> at(Way way, double percentile) {
    return run -> millis(of(run, way).percentile(percentile));
  }

  private static Latencies of(LatencyRun run, Way way) {
    return run.latencies().getOrDefault(way, new Latencies());
  }

  private static double millis(Duration time) {
    return time.toNanos() / 1e6;
  }

  private Plot plot(String file, String word, double percentile) {
    List<Plot.Series> series = new ArrayList<>();
    for (Way way : Way.values()) {
      for (boolean bare : List.of(false, true)) {
        if (has(new Case(bare, rates.get(0)), way)) {
          series.add(
              new Plot.Series(
                  (bare ? "bare, " : "Berth, ") + way.word(),
                  rates.stream()
                      .map(
                          rate -> {
                            Spread spread = spread(new Case(bare, rate), at(way, percentile));
                            return new Plot.Point(
                                rate, spread.min(), spread.median(), spread.max());
                          })
                      .toList()));
        }
      }
    }
    return new Plot(
        file,
        "From an event to the call: " + word,
        new Plot.Axis("events per second", Plot.Scale.LOGARITHMIC),
        new Plot.Axis(word + " (ms)", Plot.Scale.LINEAR),
        series);
  }
}
