package dev.berth.producers;

import dev.berth.producers.SchedulerMetrics.Timed;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** How often something ended, and how long it took in all. Safe for use by many threads. */
final class Tally {
  private final LongAdder count = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  void add(long tookNanos) {
    count.increment();
    nanos.add(tookNanos);
  }

  Timed read() {
    return new Timed(count.sum(), Duration.ofNanos(nanos.sum()));
  }
}
