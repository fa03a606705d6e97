package dev.berth.bench.policies;

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

/** What the runs of the policies say. */
final class PolicyFindings {
  private static final String ABOUT =
      "Policies in virtual time, each put through the same trials: claims, ends and lost nodes made"
          + " of a trace, and a driver whose calls take the same time whoever makes them. Berth is"
          + " its own deciders; the others are models, see POLICIES-MODELS.md. Load: the share of"
          + " the time in which the busiest plugin would be busy if it made one call at a time."
          + " Wait: from the claim, or the end of the volume's last workload before it if that is"
          + " later, to the grant. Host overlap: a call made while another call of the plugin for"
          + " the same node was open, which breaks drivers that choose device names. Premature:"
          + " detached from under a workload that could still write.";

  private final Map<PoliciesBench.Run, Tally.Result> results;
  private final List<Double> loads;

  PolicyFindings(Map<PoliciesBench.Run, Tally.Result> results, List<Double> loads) {
    this.results = results;
    this.loads = loads;
  }

  Section section(Map<String, String> settings, Duration took) {
    List<Measure> measures = new ArrayList<>();
    for (double load : loads) {
      PoliciesBench.names().forEach(policy -> measures.addAll(measures(policy, load)));
    }
    List<Goal> goals = new ArrayList<>();
    for (String policy : PoliciesBench.names()) {
      if (policy.startsWith("berth")) {
        goals.add(none(policy, "host overlaps", Tally.Result::hostOverlaps));
        goals.add(none(policy, "premature detaches", Tally.Result::premature));
        goals.add(none(policy, "never granted", Tally.Result::never));
      }
    }
    goals.add(none("berth", "volume overlaps", Tally.Result::volumeOverlaps));
    List<Plot> plots =
        List.of(
            plot("wait-p50", "median wait", result -> result.waited(50)),
            plot("wait-p99", "99th percentile of waits", result -> result.waited(99)));
    return new Section("policies", ABOUT, settings, measures, goals, plots, List.of(), took);
  }

  private List<Measure> measures(String policy, double load) {
    return List.of(
        measure(policy, load, "wait p50", "s", result -> result.waited(50)),
        measure(policy, load, "wait p95", "s", result -> result.waited(95)),
        measure(policy, load, "wait p99", "s", result -> result.waited(99)),
        measure(policy, load, "longest wait", "s", result -> result.waited(100)),
        measure(policy, load, "makespan", "s", Tally.Result::makespan),
        measure(policy, load, "granted", "uses", result -> result.waits().size()),
        measure(policy, load, "never granted", "uses", Tally.Result::never),
        measure(policy, load, "of these refused", "uses", Tally.Result::rejected),
        measure(policy, load, "host overlaps", "calls", Tally.Result::hostOverlaps),
        measure(policy, load, "volume overlaps", "calls", Tally.Result::volumeOverlaps),
        measure(policy, load, "premature detaches", "mounts", Tally.Result::premature),
        measure(policy, load, "calls", "calls", Tally.Result::calls));
  }

  private Measure measure(
      String policy, double load, String what, String unit, ToDoubleFunction<Tally.Result> of) {
    return Measure.exact(
        "load " + load + ", " + policy + ": " + what, unit, values(policy, load, of));
  }

  private List<Double> values(String policy, double load, ToDoubleFunction<Tally.Result> of) {
    return results.entrySet().stream()
        .filter(it -> it.getKey().policy().equals(policy) && it.getKey().load() == load)
        .map(it -> of.applyAsDouble(it.getValue()))
        .toList();
  }

  private Goal none(String policy, String what, ToDoubleFunction<Tally.Result> of) {
    double most =
        results.entrySet().stream()
            .filter(it -> it.getKey().policy().equals(policy))
            .mapToDouble(it -> of.applyAsDouble(it.getValue()))
            .max()
            .orElse(0);
    return new Goal(policy + ": " + what + ", in any trial", Goal.Bound.AT_MOST, 0, most, "");
  }

  private Plot plot(String file, String what, ToDoubleFunction<Tally.Result> of) {
    List<Plot.Series> series = new ArrayList<>();
    for (String policy : PoliciesBench.names()) {
      List<Plot.Point> points = new ArrayList<>();
      for (double load : loads) {
        Spread spread = Spread.of(values(policy, load, of));
        points.add(new Plot.Point(load, spread.min(), spread.median(), spread.max()));
      }
      series.add(new Plot.Series(policy, points));
    }
    return new Plot(
        "policies-" + file + ".svg",
        "Policies: " + what,
        new Plot.Axis("load", Plot.Scale.LINEAR),
        new Plot.Axis(what + " (s)", Plot.Scale.LOGARITHMIC),
        series);
  }
}
