package dev.berth.streams.topology;

import dev.berth.streams.lanes.LanesEffect;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/**
 * Counts the records that came to nothing, by topic, among the metrics of Kafka Streams: {@code
 * rejected-total} and {@code ignored-total} of the group {@code stream-berth-metrics}, with the
 * topic as {@code berth-id}; and the reports of workers that were not believed, by {@code plugin}
 * and {@code reason}: {@code late-outcomes-dropped-total} and {@code
 * late-acceptances-dropped-total}. All are shown as 0 before they count: a rate over a series that
 * began with 1 would not see its first record.
 */
final class Counts {
  private static final String SCOPE = "berth";

  private final ProcessingContext context;
  private final Map<String, Sensor> sensors = new HashMap<>();
  private final Set<String> plugins = new HashSet<>();

  Counts(ProcessingContext context) {
    this.context = context;
  }

  /** Shows what can be counted of a topic from now on, as 0. */
  void expect(String topic) {
    sensor(topic, "rejected");
    sensor(topic, "ignored");
  }

  /** A record was put aside. */
  void rejected(String topic) {
    sensor(topic, "rejected").record();
  }

  /** A record was read and changed nothing: it said what was known, or was older than that. */
  void ignored(String topic) {
    sensor(topic, "ignored").record();
  }

  /**
   * Shows what can be counted of a plugin's workers from now on, as 0.
   *
   * @param plugin plugin id; one that no lane knows would make a metric of whatever was sent
   */
  void expectReports(String plugin) {
    if (plugins.add(plugin)) {
      for (LanesEffect.Dropped.Cause cause : LanesEffect.Dropped.Cause.values()) {
        reports(plugin, cause);
      }
    }
  }

  /**
   * A worker's report was not believed.
   *
   * @param plugin plugin id, as in {@link #expectReports}
   */
  void dropped(String plugin, LanesEffect.Dropped.Cause cause) {
    reports(plugin, cause).record();
  }

  private Sensor reports(String plugin, LanesEffect.Dropped.Cause cause) {
    boolean acceptance = cause == LanesEffect.Dropped.Cause.ACCEPTANCE_OF_NO_OPEN_ATTEMPT;
    String what = acceptance ? "late-acceptances-dropped" : "late-outcomes-dropped";
    String reason =
        switch (cause) {
          case ACCEPTANCE_OF_NO_OPEN_ATTEMPT, OUTCOME_OF_NO_OPEN_ATTEMPT -> "no-open-attempt";
          case OUTCOME_OF_OTHER_ACCEPTANCE -> "other-acceptance";
          case OUTCOME_REPEATED -> "repeated";
          case OUTCOME_OF_OTHER_CALL -> "other-call";
        };
    // A sensor has one set of tags: the reason belongs into its name.
    String id = plugin + "/" + reason;
    return sensors.computeIfAbsent(
        what + " " + id,
        key ->
            context
                .metrics()
                .addRateTotalSensor(
                    SCOPE,
                    id,
                    what,
                    Sensor.RecordingLevel.INFO,
                    "plugin",
                    plugin,
                    "reason",
                    reason));
  }

  private Sensor sensor(String topic, String what) {
    return sensors.computeIfAbsent(
        what + " " + topic,
        key ->
            context.metrics().addRateTotalSensor(SCOPE, topic, what, Sensor.RecordingLevel.INFO));
  }
}
