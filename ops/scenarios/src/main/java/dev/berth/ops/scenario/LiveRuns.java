package dev.berth.ops.scenario;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/** Runs scenario files live, one after another: a machine has but one set of cores. */
public final class LiveRuns {
  private final LiveSystem.Source source;
  private final boolean traced;
  private final InstantSource clock;
  private final LongSupplier nanoTime;

  /**
   * Runs nothing yet.
   *
   * @param source makes a system for each file that can run live
   * @param traced whether the reports hold everything that happened
   * @param clock the clock of this process
   * @param nanoTime as {@link System#nanoTime}
   */
  public LiveRuns(
      LiveSystem.Source source, boolean traced, InstantSource clock, LongSupplier nanoTime) {
    this.source = source;
    this.traced = traced;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /**
   * Runs files. One that cannot be understood or cannot run live does not keep the others from
   * running.
   *
   * @param files the files
   * @param done told how many are done after each
   * @return what became of each, in the order of the files
   * @throws InterruptedException when the caller is interrupted; what runs is given up
   */
  public List<ScenarioReport> run(List<ScenarioFile> files, IntConsumer done)
      throws InterruptedException {
    List<ScenarioReport> reports = new ArrayList<>();
    for (ScenarioFile file : files) {
      reports.add(run(file));
      done.accept(reports.size());
    }
    return reports;
  }

  private ScenarioReport run(ScenarioFile file) throws InterruptedException {
    Scenario scenario;
    try {
      scenario = file.read();
    } catch (ScenarioException e) {
      return new ScenarioReport(
          file.name(),
          file.stem(),
          "",
          e.problems(),
          List.of(),
          List.of(),
          List.of(),
          Duration.ZERO);
    }
    LivePlan plan = LivePlan.of(scenario);
    if (!(plan instanceof LivePlan.Runs runs)) {
      return report(
          file, scenario, List.of(((LivePlan.Cannot) plan).reason()), List.of(), List.of(), 0);
    }
    long began = nanoTime.getAsLong();
    ScenarioRunner.Result result = ScenarioRunner.run(runs, source, clock, traced);
    return report(
        file, scenario, List.of(), result.failures(), result.trace(), nanoTime.getAsLong() - began);
  }

  private static ScenarioReport report(
      ScenarioFile file,
      Scenario scenario,
      List<Problem> notLive,
      List<Failure> failures,
      List<TraceLine> trace,
      long nanos) {
    return new ScenarioReport(
        file.name(),
        scenario.id(),
        scenario.title(),
        List.of(),
        notLive,
        failures,
        trace,
        Duration.ofNanos(nanos));
  }
}
