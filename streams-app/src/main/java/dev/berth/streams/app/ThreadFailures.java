package dev.berth.streams.app;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what becomes of a stream thread that failed: another takes its place, after a pause that
 * grows while failures go on; or the application ends, when no try can succeed. Called by the
 * failing threads, several at once.
 */
final class ThreadFailures implements StreamsUncaughtExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadFailures.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  /** After so long without a failure the next one is a first one again. */
  private static final Duration CALM = Duration.ofMinutes(1);

  private final Clock clock;
  private final Pause pause;
  private final BooleanSupplier topicsDeleted;
  private final AtomicReference<@Nullable String> fatal = new AtomicReference<>();
  private Duration nextPause = FIRST_PAUSE;
  private Instant lastFailure = Instant.MIN;

  /**
   * Prepares.
   *
   * @param clock tells failures in a row from single ones
   * @param pause waits before a thread is replaced
   * @param topicsDeleted asks the brokers, whether a topic that was there at the start is not any
   *     more; false when they do not answer
   */
  ThreadFailures(Clock clock, Pause pause, BooleanSupplier topicsDeleted) {
    this.clock = clock;
    this.pause = pause;
    this.topicsDeleted = topicsDeleted;
  }

  /** What ended the application, and what would help; empty while nothing has. */
  Optional<String> fatal() {
    return Optional.ofNullable(fatal.get());
  }

  @Override
  public StreamThreadExceptionResponse handle(Throwable failure) {
    Fault fault = judge(Fault.of(failure));
    if (fault.fatal()) {
      String text = "%s: %s; %s".formatted(fault, failure, fault.remedy());
      fatal.compareAndSet(null, text);
      LOG.error("stream thread failed for good fault={}: {}", fault, text, failure);
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    Duration wait = pauseBeforeNext();
    LOG.warn(
        "stream thread failed and is replaced fault={} pause={}: {}",
        fault,
        wait,
        fault.remedy(),
        failure);
    pause.elapse(wait);
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  private Fault judge(Fault seen) {
    if (seen != Fault.TOPIC_MISSED) {
      return seen;
    }
    return topicsDeleted.getAsBoolean() ? Fault.TOPICS : Fault.OUTAGE;
  }

  private synchronized Duration pauseBeforeNext() {
    Instant now = clock.instant();
    boolean calm = lastFailure.equals(Instant.MIN) || now.isAfter(lastFailure.plus(CALM));
    Duration wait = calm ? FIRST_PAUSE : nextPause;
    Duration doubled = wait.multipliedBy(2);
    nextPause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    lastFailure = now;
    return wait;
  }
}
