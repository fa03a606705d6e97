package dev.berth.ops.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/** Runs many scenario files side by side: each has a world of its own. */
public final class ScenarioRuns {
  private final int threads;
  private final boolean traced;
  private final LongSupplier nanoTime;

  /**
   * Runs nothing yet.
   *
   * @param threads scenarios that run at the same time (count)
   * @param traced whether the reports hold everything that happened
   * @param nanoTime as {@link System#nanoTime}
   */
  public ScenarioRuns(int threads, boolean traced, LongSupplier nanoTime) {
    this.threads = threads;
    this.traced = traced;
    this.nanoTime = nanoTime;
  }

  /**
   * Runs files. One that cannot be understood does not keep the others from running.
   *
   * @param files the files
   * @param done told how many are done after each; from many threads
   * @return what became of each, in the order of the files
   * @throws InterruptedException when the caller is interrupted; what runs is given up
   */
  public List<ScenarioReport> run(List<ScenarioFile> files, IntConsumer done)
      throws InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      AtomicInteger count = new AtomicInteger();
      List<Future<ScenarioReport>> running = new ArrayList<>();
      for (ScenarioFile file : files) {
        running.add(
            executor.submit(
                () -> {
                  ScenarioReport report = run(file);
                  done.accept(count.incrementAndGet());
                  return report;
                }));
      }
      List<ScenarioReport> reports = new ArrayList<>();
      for (Future<ScenarioReport> report : running) {
        reports.add(report.get());
      }
      return reports;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a scenario ended without a report", e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }

  private ScenarioReport run(ScenarioFile file) {
    long began = nanoTime.getAsLong();
    try {
      Scenario scenario = file.read();
      ScenarioRunner.Result result = ScenarioRunner.run(scenario, traced);
      return new ScenarioReport(
          file.name(),
          scenario.id(),
          scenario.title(),
          List.of(),
          result.failures(),
          result.trace(),
          since(began));
    } catch (ScenarioException e) {
      return new ScenarioReport(
          file.name(), file.stem(), "", e.problems(), List.of(), List.of(), since(began));
    }
  }

  private Duration since(long began) {
    return Duration.ofNanos(nanoTime.getAsLong() - began);
  }
}
