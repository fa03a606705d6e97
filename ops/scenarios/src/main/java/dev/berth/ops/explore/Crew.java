package dev.berth.ops.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Searchers that share the work, each in a thread of its own; the caller's thread is the first. */
final class Crew implements AutoCloseable {
  private final List<Searcher> searchers;
  private final ExecutorService others;

  /** One piece of work. */
  interface Work {
    /**
     * Does the piece with this number.
     *
     * @param searcher who does it
     */
    void with(Searcher searcher, int piece);
  }

  Crew(List<Searcher> searchers) {
    this.searchers = List.copyOf(searchers);
    others =
        Executors.newFixedThreadPool(
            Math.max(1, searchers.size() - 1),
            runnable -> {
              Thread thread = new Thread(runnable, "explore");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Does pieces {@code 0} to {@code count - 1}, and waits for all that were begun.
   *
   * @param goesOn asked before each piece by whoever would do it; no piece begins after it said no
   * @return how many were done: those before that number, and no others
   */
  int each(int count, BooleanSupplier goesOn, Work work) {
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> running = new ArrayList<>();
    for (Searcher searcher : searchers.subList(1, searchers.size())) {
      running.add(others.submit(() -> run(searcher, next, count, goesOn, work)));
    }
    run(searchers.get(0), next, count, goesOn, work);
    running.forEach(Crew::await);
    return Math.min(count, next.get());
  }

  private static void run(
      Searcher searcher, AtomicInteger next, int count, BooleanSupplier goesOn, Work work) {
    // Asked before a piece is taken: what is taken is done, so that nothing is left out between.
    while (next.get() < count && goesOn.getAsBoolean()) {
      int piece = next.getAndIncrement();
      if (piece < count) {
        work.with(searcher, piece);
      }
    }
  }

  private static void await(Future<?> running) {
    try {
      running.get();
    } catch (ExecutionException failed) {
      throw new IllegalStateException("a searcher failed: " + failed.getCause(), failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while searching", interrupted);
    }
  }

  @Override
  public void close() {
    others.shutdownNow();
  }
}
