package dev.berth.workers.secrets;

import dev.berth.workers.time.Clocks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for missing secrets every second, on a thread of its own, and tells what it finds. */
public final class SecretWatch implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(SecretWatch.class);
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final MissingSecrets missing;
  private final BiConsumer<String, List<String>> listener;
  private final Clocks clocks;
  private final ScheduledExecutorService executor;

  /**
   * Prepares.
   *
   * @param listener told a plugin id and the references found for it
   * @param clocks clocks of the process
   */
  public SecretWatch(
      MissingSecrets missing, BiConsumer<String, List<String>> listener, Clocks clocks) {
    this.missing = missing;
    this.listener = listener;
    this.clocks = clocks;
    this.executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "secret-watch");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Starts to look. */
  public void start() {
    // The task itself catches everything: the future has nothing to tell.
    var unused =
        executor.scheduleWithFixedDelay(
            this::look, EVERY.toNanos(), EVERY.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }

  private void look() {
    try {
      missing.found(clocks.read()).forEach(listener);
    } catch (RuntimeException e) {
      // The calls are tried again all the same, only later.
      log.warn("looking for missing secrets failed", e);
    }
  }
}
