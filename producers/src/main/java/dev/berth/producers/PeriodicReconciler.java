package dev.berth.producers;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles at once and then again and again, on a thread of its own. A run that fails is logged,
 * and the next one tries again; when another process has taken over the scheduler, or the scheduler
 * is closed, the runs end.
 */
public final class PeriodicReconciler implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PeriodicReconciler.class);
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final Reconciler reconciler;
  private final Consumer<ReconcileReport> listener;
  private final ScheduledExecutorService executor;

  private PeriodicReconciler(
      Reconciler reconciler, Duration interval, Consumer<ReconcileReport> listener) {
    this.reconciler = reconciler;
    this.listener = listener;
    this.executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "berth-reconciler");
              thread.setDaemon(true);
              return thread;
            });
    // The tasks themselves catch everything: the future has nothing to tell.
    var unused =
        executor.scheduleWithFixedDelay(this::run, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Starts the runs; see {@link #start(Reconciler, Duration, Consumer)}. */
  public static PeriodicReconciler start(Reconciler reconciler, Duration interval) {
    return start(reconciler, interval, report -> {});
  }

  /**
   * Starts the runs.
   *
   * @param interval from the end of a run to the next, more than nothing. Each run reads the whole
   *     claim table: minutes, not seconds
   * @param listener told of each run that succeeded, on the thread that reconciles
   * @throws IllegalArgumentException when the interval is not positive
   */
  public static PeriodicReconciler start(
      Reconciler reconciler, Duration interval, Consumer<ReconcileReport> listener) {
    if (interval.isNegative() || interval.isZero()) {
      throw new IllegalArgumentException(
          "interval %s is no time: give some minutes".formatted(interval));
    }
    return new PeriodicReconciler(reconciler, interval, listener);
  }

  /** Whether there will be no further run. */
  public boolean isOver() {
    return executor.isShutdown();
  }

  /** Ends the runs; one that is under way is interrupted. */
  @Override
  public void close() {
    executor.shutdownNow();
    try {
      if (!executor.awaitTermination(CLOSING.toMillis(), TimeUnit.MILLISECONDS)) {
        log.warn("a reconciliation goes on after its end was asked for");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      listener.accept(reconciler.reconcile());
    } catch (InterruptedException | InterruptException e) {
      log.debug("reconciling was interrupted");
    } catch (RuntimeException | Error e) {
      if (endsAll(e)) {
        log.error("the scheduler writes no more; reconciling ends reason={}", e.getMessage());
        executor.shutdown();
      } else {
        log.warn("reconciling failed and is tried again reason={}", e.getMessage(), e);
      }
    }
  }

  private static boolean endsAll(Throwable failure) {
    return failure.getCause() instanceof SchedulerReplacedException
        || failure.getCause() instanceof ClosedException;
  }
}
