package dev.berth.streams.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.stats.Max;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Meters of Kafka Streams")
class MeasuredStreamsTest {

  private static final String STORES = "stream-state-metrics";

  @Test
  @DisplayName("leave out the gauges that reach into a store, without reading them")
  void leaveOutGaugesOfStores() {
    try (Metrics metrics = new Metrics()) {
      MetricName open = gauge(metrics, "num-open-iterators", STORES, 2L);
      MetricName threads = gauge(metrics, "alive-stream-threads", "stream-metrics", 1);
      MetricName longest = new MetricName("put-latency-max", STORES, "", Map.of());
      metrics.sensor("put").add(longest, new Max());
      metrics.addMetric(
          new MetricName("uncommitted-bytes", STORES, "", Map.of()),
          (Gauge<Long>)
              (config, now) -> {
                throw new AssertionError("read while its store may be closing");
              });
      gauge(metrics, "block-cache-usage", STORES, 3L);

      assertThat(MeasuredStreams.readable(metrics.metrics()).keySet())
          .contains(open, threads, longest)
          .extracting(MetricName::name)
          .doesNotContain("uncommitted-bytes", "block-cache-usage");
    }
  }

  private static MetricName gauge(Metrics metrics, String name, String group, Number value) {
    MetricName key = new MetricName(name, group, "", Map.of());
    metrics.addMetric(key, (Gauge<Number>) (config, now) -> value);
    return key;
  }
}
