package dev.berth.ops.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;

/** A text in a metric of the process is seen, wherever in the metric it is. */
class ProcessMetricsTest {

  @Test
  void nameTagAndValueOfAMetricAreSeen() {
    JmxReporter jmx = new JmxReporter();
    jmx.configure(Map.of(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, ""));
    try (Metrics metrics =
        new Metrics(
            new MetricConfig(),
            List.of(jmx),
            Time.SYSTEM,
            new KafkaMetricsContext("kafka.streams"))) {
      metrics.addMetric(
          new MetricName("name-1", "group-2", "text-3", Map.of("tag-4", "of-5")),
          (Gauge<String>) (config, now) -> "value-6");

      for (String part : List.of("name-1", "group-2", "tag-4", "of-5", "value-6")) {
        assertThat(ProcessMetrics.all()).as(part).anyMatch(text -> text.contains(part));
      }
    }
    assertThat(ProcessMetrics.all()).noneMatch(text -> text.contains("value-6"));
  }

  @Test
  void whatTheRuntimeSaysOfItselfIsNone() {
    assertThat(ProcessMetrics.all()).noneMatch(text -> text.startsWith("java.lang:"));
  }
}
