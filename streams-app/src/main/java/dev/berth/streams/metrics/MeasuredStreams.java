package dev.berth.streams.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;

/**
 * Kafka Streams whose meters any thread may read at any time.
 *
 * <p>The gauges of stores are not among them. They ask RocksDB when they are read, and nothing
 * keeps their store from being closed meanwhile: {@code uncommitted-bytes} of 4.4.0 looks into a
 * write batch that a task which moves has freed, and the process dies of it (SIGSEGV).
 */
public final class MeasuredStreams extends KafkaStreams {

  private static final String OF_STORES = "stream-state-metrics";

  /** The one gauge of a store that counts in Java. */
  private static final String OPEN_ITERATORS = "num-open-iterators";

  /** As {@link KafkaStreams#KafkaStreams(Topology, Properties, KafkaClientSupplier)}. */
  public MeasuredStreams(Topology topology, Properties settings, KafkaClientSupplier clients) {
    super(topology, settings, clients);
  }

  @Override
  public Map<MetricName, ? extends Metric> metrics() {
    return readable(super.metrics());
  }

  /** Leaves out what only the thread of its store may read. */
  static Map<MetricName, Metric> readable(Map<MetricName, ? extends Metric> all) {
    Map<MetricName, Metric> readable = new HashMap<>();
    all.forEach(
        (name, metric) -> {
          if (!name.group().equals(OF_STORES) || isCounted(name, metric)) {
            readable.put(name, metric);
          }
        });
    return Map.copyOf(readable);
  }

  private static boolean isCounted(MetricName name, Metric metric) {
    return name.name().equals(OPEN_ITERATORS)
        || (metric instanceof KafkaMetric measured && measured.isMeasurable());
  }
}
