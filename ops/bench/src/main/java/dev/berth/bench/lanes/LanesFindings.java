package dev.berth.bench.lanes;

import dev.berth.bench.measure.Interleaving.Measured;
import dev.berth.bench.measure.Measure;
import dev.berth.bench.measure.Spread;
import dev.berth.bench.report.Goal;
import dev.berth.bench.report.Plot;
import dev.berth.bench.report.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** What the runs of lanes say. */
final class LanesFindings {
  private static final String ABOUT =
      "Attaches that wait behind a pause and are then let out. Utilisation is, for one lane, the "
          + "sum of the calls' times over the time from the first start to the last end, both by "
          + "the plugin's log; for several lanes the ideal makespan (each lane one call at a time, "
          + "all lanes at once) over that time.";

  private static final Map<Integer, Double> OF_ONE_LANE = Map.of(2_500, 0.99, 500, 0.96, 100, 0.92);
  private static final Map<Integer, Double> OF_PLUGINS = Map.of(50, 0.92, 200, 0.90);
  private static final double RATE_AT_ONCE = 500;

  private final Map<LaneLoad, List<Measured<LaneRun>>> runs;

  LanesFindings(Map<LaneLoad, List<Measured<LaneRun>>> runs) {
    this.runs = runs;
  }

  Section section(Map<String, String> settings, Duration took) {
    List<Measure> measures = new ArrayList<>();
    List<Goal> goals = new ArrayList<>();
    runs.forEach(
        (load, measured) -> {
          measures.add(Measure.of(load + ": rate", "calls/s", measured, LaneRun::rate));
          measures.add(
              Measure.of(
                  load + ": makespan", "s", measured, run -> run.makespan().toNanos() / 1e9));
          if (!load.rpc().isZero()) {
            measures.add(Measure.of(load + ": utilisation", "", measured, LaneRun::utilisation));
          }
          goal(load, measured, goals);
        });
    List<Plot> plots =
        List.of(
            plot(
                "lanes-one.svg",
                "One lane: share of the time that is spent in the plugin",
                "time of a call (ms)",
                LaneLoad.Kind.ONE,
                load -> (double) load.rpc().toMillis()),
            plot(
                "lanes-plugins.svg",
                "Many plugins: ideal makespan over makespan",
                "plugins (count)",
                LaneLoad.Kind.MANY,
                load -> (double) load.plugins()));
    return new Section("lanes", ABOUT, settings, measures, goals, plots, List.of(), took);
  }

  private static void goal(LaneLoad load, List<Measured<LaneRun>> measured, List<Goal> goals) {
    if (load.kind() == LaneLoad.Kind.ONE && load.rpc().isZero()) {
      goals.add(goal(load + ": rate", RATE_AT_ONCE, "calls/s", measured, LaneRun::rate));
    }
    limit(load)
        .ifPresent(
            least ->
                goals.add(goal(load + ": utilisation", least, "", measured, LaneRun::utilisation)));
  }

  private static OptionalDouble limit(LaneLoad load) {
    Double least =
        switch (load.kind()) {
          case ONE -> OF_ONE_LANE.get((int) load.rpc().toMillis());
          case MANY -> OF_PLUGINS.get(load.plugins());
          case BY_NODE, BY_VOLUME -> null;
        };
    return least == null ? OptionalDouble.empty() : OptionalDouble.of(least);
  }

  private static Goal goal(
      String name,
      double least,
      String unit,
      List<Measured<LaneRun>> measured,
      ToDoubleFunction<LaneRun> of) {
    return new Goal(name, Goal.Bound.AT_LEAST, least, Spread.of(measured, of).median(), unit);
  }

  private Plot plot(
      String file, String title, String label, LaneLoad.Kind kind, Function<LaneLoad, Double> x) {
    List<Plot.Point> points =
        runs.entrySet().stream()
            .filter(run -> run.getKey().kind() == kind && !run.getKey().rpc().isZero())
            .map(
                run -> {
                  Spread spread = Spread.of(run.getValue(), LaneRun::utilisation);
                  return new Plot.Point(
                      x.apply(run.getKey()), spread.min(), spread.median(), spread.max());
                })
            .toList();
    return new Plot(
        file,
        title,
        new Plot.Axis(label, Plot.Scale.LOGARITHMIC),
        new Plot.Axis("utilisation", Plot.Scale.LINEAR),
        List.of(new Plot.Series("utilisation", points)));
  }
}
