package dev.berth.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The meters of a process, in the text format that Prometheus reads: those of its JVM at first, and
 * what is bound or registered later. No label may hold a secret, a volume, an alloc or an attempt:
 * their number has no bound.
 *
 * <p>Safe for use by many threads.
 */
public final class Meters implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** What to close, the last first. */
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  /** Makes the meters of this JVM. */
  public Meters() {
    bind(new JvmMemoryMetrics());
    bind(new JvmThreadMetrics());
    bind(new ProcessorMetrics());
    bind(new UptimeMetrics());
    JvmGcMetrics collections = new JvmGcMetrics();
    bind(collections);
    closing(collections);
  }

  /** Where meters are registered. */
  public MeterRegistry registry() {
    return registry;
  }

  /** Adds the meters of a library. */
  public void bind(MeterBinder binder) {
    binder.bindTo(registry);
  }

  /** Closes something together with the meters, before them. */
  public synchronized <T extends AutoCloseable> T closing(T part) {
    parts.push(part);
    return part;
  }

  /** The meters as they are now. */
  public String scrape() {
    return registry.scrape(TEXT);
  }

  /** Content type of {@link #scrape()}. */
  static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  @Override
  public synchronized void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("a part of the meters cannot be closed", e);
      }
    }
    registry.close();
  }
}
