package dev.berth.ops.scenario;

import static java.util.Comparator.comparingInt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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
      List<Loaded> loaded = files.stream().map(this::load).toList();
      AtomicInteger count = new AtomicInteger();
      IdentityHashMap<Loaded, Future<ScenarioReport>> running = new IdentityHashMap<>();
      // The longest first: one that begins last keeps the others' cores waiting.
      for (Loaded file : loaded.stream().sorted(comparingInt(Loaded::steps).reversed()).toList()) {
        running.put(
            file,
            executor.submit(
                () -> {
                  ScenarioReport report = run(file);
                  done.accept(count.incrementAndGet());
                  return report;
                }));
      }
      List<ScenarioReport> reports = new ArrayList<>();
      for (Loaded file : loaded) {
        reports.add(Objects.requireNonNull(running.get(file)).get());
      }
      return reports;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a scenario ended without a report", e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }

  /**
   * A file as far as it was understood.
   *
   * @param file the file
   * @param scenario what it says; null when it could not be understood
   * @param problems why not; empty when it could
   */
  private record Loaded(ScenarioFile file, @Nullable Scenario scenario, List<Problem> problems) {
    int steps() {
      return scenario == null ? 0 : scenario.steps().size();
    }
  }

  private Loaded load(ScenarioFile file) {
    try {
      return new Loaded(file, file.read(), List.of());
    } catch (ScenarioException e) {
      return new Loaded(file, null, e.problems());
    }
  }

  private ScenarioReport run(Loaded loaded) {
    String name = loaded.file().name();
    Scenario scenario = loaded.scenario();
    if (scenario == null) {
      return new ScenarioReport(
          name,
          loaded.file().stem(),
          "",
          loaded.problems(),
          List.of(),
          List.of(),
          List.of(),
          Duration.ZERO);
    }
    long began = nanoTime.getAsLong();
    ScenarioRunner.Result result = ScenarioRunner.run(scenario, traced);
    return new ScenarioReport(
        name,
        scenario.id(),
        scenario.title(),
        List.of(),
        List.of(),
        result.failures(),
        result.trace(),
        Duration.ofNanos(nanoTime.getAsLong() - began));
  }
}
