package dev.berth.streams.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A gauge with a series for each row of a table that is replaced as a whole. A series whose row is
 * gone is gone too; one that stays is there all the time, also for a scrape in between.
 *
 * @param <K> what tells the rows apart
 * @param <V> what the value of a series follows from, at the time of the scrape
 */
final class TableGauge<K, V> {
  private final MultiGauge gauge;
  private final Function<K, Tags> tags;
  private final ToDoubleFunction<V> value;
  private volatile Map<K, V> shown = Map.of();

  TableGauge(
      MeterRegistry registry,
      String name,
      @Nullable String unit,
      String description,
      Function<K, Tags> tags,
      ToDoubleFunction<V> value) {
    this.gauge =
        MultiGauge.builder(name).description(description).baseUnit(unit).register(registry);
    this.tags = tags;
    this.value = value;
  }

  /** Shows a table instead of the one before. */
  void show(Map<K, V> table) {
    shown = Map.copyOf(table);
    gauge.register(
        shown.keySet().stream()
            .<MultiGauge.Row<?>>map(key -> MultiGauge.Row.of(tags.apply(key), () -> now(key)))
            .toList());
  }

  private double now(K key) {
    V row = shown.get(key);
    return row == null ? Double.NaN : value.applyAsDouble(row);
  }
}
