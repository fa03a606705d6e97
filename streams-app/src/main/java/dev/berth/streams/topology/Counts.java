package dev.berth.streams.topology;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/**
 * Counts the records that came to nothing, by topic, among the metrics of Kafka Streams: {@code
 * rejected-total} and {@code ignored-total} of the group {@code stream-berth-metrics}, with the
 * topic as {@code berth-id}.
 */
final class Counts {
  private static final String SCOPE = "berth";

  private final ProcessingContext context;
  private final Map<String, Sensor> sensors = new HashMap<>();

  Counts(ProcessingContext context) {
    this.context = context;
  }

  /** A record was put aside. */
  void rejected(String topic) {
    count(topic, "rejected");
  }

  /** A record was read and changed nothing: it said what was known, or was older than that. */
  void ignored(String topic) {
    count(topic, "ignored");
  }

  private void count(String topic, String what) {
    sensors
        .computeIfAbsent(
            what + " " + topic,
            key ->
                context
                    .metrics()
                    .addRateTotalSensor(SCOPE, topic, what, Sensor.RecordingLevel.INFO))
        .record();
  }
}
