package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.schemas.topics.Topic;
import dev.berth.streams.policy.Policies;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The counters of records that came to nothing")
class CountsTest {

  @Test
  @DisplayName("show 0 of every topic that is read, so that a rate sees the first record")
  void zero() {
    try (TopologyBench bench =
        new TopologyBench(
            (topology, context) -> {
              VolumeClaimsSubtopology.addTo(topology, context);
              ClusterSubtopology.addTo(topology, context, Policies.DEFAULTS);
            })) {
      for (String counter : new String[] {"rejected-total", "ignored-total"}) {
        Map<String, Object> shown = shown(bench, counter);
        assertThat(shown)
            .containsEntry(bench.name(Topic.ALLOC_EVENTS), 0.0)
            .containsEntry(bench.name(Topic.COMMANDS), 0.0)
            .containsEntry(bench.name(Topic.NODES), 0.0);
      }
    }
  }

  private static Map<String, Object> shown(TopologyBench bench, String counter) {
    return bench.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().name().equals(counter))
        .collect(
            Collectors.toMap(
                metric -> topic(metric.getKey()),
                metric -> metric.getValue().metricValue(),
                (one, other) -> one));
  }

  private static String topic(MetricName metric) {
    return metric.tags().getOrDefault("berth-id", "");
  }
}
