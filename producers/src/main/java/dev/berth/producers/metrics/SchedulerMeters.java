package dev.berth.producers.metrics;

import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerMetrics;
import dev.berth.producers.SchedulerMetrics.Timed;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Shows a {@link SchedulerMetrics} through Micrometer, which the embedding process brings along
 * ({@code io.micrometer:micrometer-core}; this library names it as optional). Every meter has the
 * scheduler's id as {@code scheduler}, none has a volume or an alloc; {@code DESIGN.md} lists them.
 *
 * <p>They ask the scheduler when they are read, and stay as they were when it is closed. The
 * registry does not keep the scheduler alive.
 */
public final class SchedulerMeters implements MeterBinder {
  private static final String OUTCOME = "outcome";

  private final Scheduler scheduler;

  /**
   * Of a scheduler.
   *
   * @param scheduler stays the caller's to close
   */
  public SchedulerMeters(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Tags id = Tags.of("scheduler", scheduler.id());
    Gauge.builder("berth.scheduler.open.claims", scheduler, s -> s.metrics().openClaims())
        .description("Claims without a final reply")
        .tags(id)
        .register(registry);
    claims(registry, id.and(OUTCOME, "granted"), SchedulerMetrics::granted);
    claims(registry, id.and(OUTCOME, "rejected"), SchedulerMetrics::rejected);
    claims(registry, id.and(OUTCOME, "unanswered"), SchedulerMetrics::unanswered);
    Gauge.builder(
            "berth.scheduler.queued.statements", scheduler, s -> s.metrics().queuedStatements())
        .description("Statements that wait to be written")
        .tags(id)
        .register(registry);
    statements(registry, id.and(OUTCOME, "written"), SchedulerMetrics::written);
    statements(registry, id.and(OUTCOME, "failed"), SchedulerMetrics::notWritten);
    transactions(registry, id.and(OUTCOME, "committed"), SchedulerMetrics::transactions);
    transactions(registry, id.and(OUTCOME, "failed"), SchedulerMetrics::failedTransactions);
    Gauge.builder("berth.scheduler.over", scheduler, s -> s.metrics().over() ? 1 : 0)
        .description("1 when nothing is written any more: closed, failed, or taken over")
        .tags(id)
        .register(registry);
  }

  private void claims(MeterRegistry registry, Tags tags, Function<SchedulerMetrics, Timed> which) {
    timer("berth.scheduler.claims", "Claims that ended, from the call to the reply", tags, which)
        .register(registry);
  }

  private void statements(
      MeterRegistry registry, Tags tags, Function<SchedulerMetrics, Timed> which) {
    timer(
            "berth.scheduler.statements",
            "Statements that ended, from the call to the commit",
            tags,
            which)
        .register(registry);
  }

  private FunctionTimer.Builder<Scheduler> timer(
      String name, String description, Tags tags, Function<SchedulerMetrics, Timed> which) {
    return FunctionTimer.builder(
            name,
            scheduler,
            s -> which.apply(s.metrics()).count(),
            s -> which.apply(s.metrics()).time().toNanos(),
            TimeUnit.NANOSECONDS)
        .description(description)
        .tags(tags);
  }

  private void transactions(
      MeterRegistry registry, Tags tags, ToLongFunction<SchedulerMetrics> which) {
    FunctionCounter.builder(
            "berth.scheduler.transactions", scheduler, s -> which.applyAsLong(s.metrics()))
        .description("Transactions that statements shared")
        .tags(tags)
        .register(registry);
  }
}
