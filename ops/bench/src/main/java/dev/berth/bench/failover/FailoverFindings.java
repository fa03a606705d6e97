package dev.berth.bench.failover;

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
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** What the kills say. */
final class FailoverFindings {
  private static final String ABOUT =
      "Berth in processes of its own, under claims and ends at fixed times; one process is killed "
          + "(SIGKILL). From the kill to the first decision, the first attach that the plugin saw "
          + "and the first grant, of claims asked after it, on the way (a partition of volumes, "
          + "the lane of a plugin) that waited longest. A broker is started again at once, the "
          + "others once it is measured. Goals hold for the longest of all repetitions: the larger "
          + "of session timeout and (transaction timeout + broker sweep), + 2 s.";

  private final Map<Struck, List<Measured<FailoverRun>>> runs;
  private final Timeouts timeouts;

  FailoverFindings(Map<Struck, List<Measured<FailoverRun>>> runs, Timeouts timeouts) {
    this.runs = runs;
    this.timeouts = timeouts;
  }

  Section section(Map<String, String> settings, Duration took) {
    List<Measure> measures = new ArrayList<>();
    List<Goal> goals = new ArrayList<>();
    runs.forEach(
        (struck, measured) -> {
          measures.add(seconds(struck + ": next decision", measured, FailoverRun::decision));
          measures.add(seconds(struck + ": next call", measured, FailoverRun::call));
          measures.add(seconds(struck + ": next grant", measured, FailoverRun::grant));
          if (struck == Struck.BROKER) {
            measures.add(seconds(struck + ": broker away", measured, FailoverRun::serving));
          }
          if (struck.isStreams()) {
            measures.add(
                Measure.of(
                    struck + ": taken over", "stores", measured, run -> run.restored().stores()));
            measures.add(
                Measure.of(
                    struck + ": restored", "records", measured, run -> run.restored().records()));
          }
          goals(struck, measured, goals);
        });
    return new Section(
        "failover", ABOUT, settings, measures, goals, List.of(plot()), notes(), took);
  }

  private void goals(Struck struck, List<Measured<FailoverRun>> measured, List<Goal> goals) {
    double limit = seconds(timeouts.limit(struck));
    goals.add(
        atMost(struck + ": next decision", limit, "s", measured, run -> seconds(run.decision())));
    goals.add(atMost(struck + ": next call", limit, "s", measured, run -> seconds(run.call())));
    if (struck == Struck.STREAMS_WITH_STANDBY) {
      goals.add(
          atMost(struck + ": restored", 0, "records", measured, run -> run.restored().records()));
    }
  }

  private static Goal atMost(
      String name,
      double limit,
      String unit,
      List<Measured<FailoverRun>> measured,
      ToDoubleFunction<FailoverRun> of) {
    return new Goal(name, Goal.Bound.AT_MOST, limit, Spread.of(measured, of).max(), unit);
  }

  private List<String> notes() {
    long incomplete =
        runs.values().stream()
            .flatMap(List::stream)
            .filter(run -> !run.result().complete())
            .count();
    return incomplete == 0
        ? List.of()
        : List.of(
            "In %d repetitions something did not come in the time that was waited for it; it counts"
                    .formatted(incomplete)
                + " as long as that.");
  }

  private Plot plot() {
    return new Plot(
        "failover-calls.svg",
        "Calls of the victim's plugins after a kill",
        new Plot.Axis("second after the kill", Plot.Scale.LINEAR),
        new Plot.Axis("calls per second", Plot.Scale.LINEAR),
        runs.entrySet().stream()
            .map(run -> new Plot.Series(run.getKey().toString(), points(run.getValue())))
            .toList());
  }

  private static List<Plot.Point> points(List<Measured<FailoverRun>> measured) {
    int seconds = measured.get(0).result().callsPerSecond().size();
    return IntStream.range(0, seconds)
        .mapToObj(
            second -> {
              Spread spread = Spread.of(measured, run -> run.callsPerSecond().get(second));
              return new Plot.Point(second + 0.5, spread.min(), spread.median(), spread.max());
            })
        .toList();
  }

  private static Measure seconds(
      String name, List<Measured<FailoverRun>> measured, Function<FailoverRun, Duration> of) {
    return Measure.of(name, "s", measured, run -> seconds(of.apply(run)));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
