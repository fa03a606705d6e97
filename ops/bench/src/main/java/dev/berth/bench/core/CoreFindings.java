package dev.berth.bench.core;

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
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What the costs of decisions say. */
final class CoreFindings {
  private static final double MOST_MICROS = 2;
  private static final double MOST_BYTES = 2048;
  private static final double MOST_GROWTH = 1.25;
  private static final String ABOUT =
      "The pure deciders alone, on a state in memory, deciding the same event over and over. "
          + "Time and allocated bytes of one decision, measured by JMH, each case in JVMs of its "
          + "own, the cases in turn. Size: claims on the volume, or calls in the plugin's lane. "
          + "Others: claims on other volumes, or calls in lanes of other plugins.";

  private final Map<CoreCase, List<Measured<CoreBench.Cost>>> costs;
  private final CoreBench.Effort effort;

  CoreFindings(Map<CoreCase, List<Measured<CoreBench.Cost>>> costs, CoreBench.Effort effort) {
    this.costs = costs;
    this.effort = effort;
  }

  Section section(Map<String, String> settings, Duration took) {
    List<Measure> measures = new ArrayList<>();
    for (CoreCase one : costs.keySet()) {
      measures.add(measure(one, "time", "µs", CoreFindings::micros));
      measures.add(measure(one, "memory", "bytes", CoreBench.Cost::bytes));
      measures.add(measure(one, "rate", "decisions/s", cost -> 1e9 / cost.nanos()));
    }
    List<Goal> goals = new ArrayList<>();
    List<Plot> plots = new ArrayList<>();
    for (CoreCase.Decider decider : CoreCase.Decider.values()) {
      goals.addAll(goals(decider));
      plots.add(plot(decider, "time", "µs", CoreFindings::micros));
      plots.add(plot(decider, "memory", "bytes", CoreBench.Cost::bytes));
    }
    return new Section("core", ABOUT, settings, measures, goals, plots, List.of(), took);
  }

  private static double micros(CoreBench.Cost cost) {
    return cost.nanos() / 1000;
  }

  private Measure measure(
      CoreCase one, String what, String unit, ToDoubleFunction<CoreBench.Cost> of) {
    return Measure.of(one + ": " + what, unit, measured(one), of);
  }

  private List<Measured<CoreBench.Cost>> measured(CoreCase one) {
    return costs.getOrDefault(one, List.of());
  }

  private Spread spread(CoreCase one, ToDoubleFunction<CoreBench.Cost> of) {
    return Spread.of(measured(one), of);
  }

  private List<Goal> goals(CoreCase.Decider decider) {
    int few = effort.sizes().get(0);
    int many = effort.sizes().get(effort.sizes().size() - 1);
    int crowd = effort.others().get(effort.others().size() - 1);
    List<CoreCase> usual =
        decider.events().stream().map(event -> new CoreCase(decider, event, few, 0)).toList();
    String each = decider.word() + ", slowest usual event, few " + decider.sized();
    List<Goal> goals = new ArrayList<>();
    goals.add(goal(each + ": time", MOST_MICROS, "µs", worst(usual, CoreFindings::micros)));
    goals.add(goal(each + ": memory", MOST_BYTES, "bytes", worst(usual, CoreBench.Cost::bytes)));
    goals.add(
        goal(
            decider.word() + ", time with others over time without",
            MOST_GROWTH,
            "",
            usual.stream().mapToDouble(one -> growth(one, one.beside(crowd))).max().orElse(0)));
    if (decider == CoreCase.Decider.LANES) {
      goals.add(
          goal(
              decider.word() + ", time in a long lane over time in a short one",
              MOST_GROWTH,
              "",
              usual.stream().mapToDouble(one -> growth(one, one.sized(many))).max().orElse(0)));
    }
    return goals;
  }

  private double worst(List<CoreCase> cases, ToDoubleFunction<CoreBench.Cost> of) {
    return cases.stream().mapToDouble(one -> spread(one, of).median()).max().orElse(0);
  }

  private double growth(CoreCase from, CoreCase to) {
    return spread(to, CoreBench.Cost::nanos).median()
        / spread(from, CoreBench.Cost::nanos).median();
  }

  private static Goal goal(String name, double limit, String unit, double found) {
    return new Goal(name, Goal.Bound.AT_MOST, limit, found, unit);
  }

  private Plot plot(
      CoreCase.Decider decider, String what, String unit, ToDoubleFunction<CoreBench.Cost> of) {
    List<Plot.Series> series =
        decider.events().stream()
            .flatMap(
                event -> effort.others().stream().map(others -> line(decider, event, others, of)))
            .toList();
    return new Plot(
        "core-" + decider.word() + "-" + what + ".svg",
        decider.word() + ": " + what + " of a decision",
        new Plot.Axis(decider.sized() + " (count)", Plot.Scale.LOGARITHMIC),
        new Plot.Axis(what + " (" + unit + ")", Plot.Scale.LOGARITHMIC),
        series);
  }

  private Plot.Series line(
      CoreCase.Decider decider, String event, int others, ToDoubleFunction<CoreBench.Cost> of) {
    Stream<CoreCase> cases =
        effort.sizes().stream().map(size -> new CoreCase(decider, event, size, others));
    String name = new CoreCase(decider, event, 0, others).eventWord();
    return new Plot.Series(
        others == 0 ? name : name + ", " + others + " others",
        cases
            .map(
                one -> {
                  Spread spread = spread(one, of);
                  return new Plot.Point(one.size(), spread.min(), spread.median(), spread.max());
                })
            .toList());
  }
}
