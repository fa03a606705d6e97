package dev.berth.streams.topology;

import java.time.Duration;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * Asks for a commit after effects that others wait for, but not for every one: a commit costs
 * milliseconds, and one per effect collapses (architecture.md, "Speed, as prototyped").
 */
public final class Committing {
  /** Shortest time between two commits asked for. */
  private static final Duration AT_MOST_EVERY = Duration.ofMillis(20);

  private final ProcessorContext<?, ?> context;
  private long lastMillis = Long.MIN_VALUE;

  /**
   * @param context context of the processor whose task is committed
   */
  public Committing(ProcessorContext<?, ?> context) {
    this.context = context;
  }

  /** Effects were forwarded. */
  public void forwarded() {
    long now = context.currentSystemTimeMs();
    if (now - AT_MOST_EVERY.toMillis() >= lastMillis) {
      lastMillis = now;
      context.commit();
    }
  }
}
