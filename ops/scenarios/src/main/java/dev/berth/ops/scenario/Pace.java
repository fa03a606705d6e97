package dev.berth.ops.scenario;

import dev.berth.streams.policy.PolicySettings;
import dev.berth.streams.policy.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How fast the time of a scenario goes by. Every duration of the file and every policy is scaled
 * alike, so that what came before what still does.
 *
 * @param real so much real time
 * @param virtual for so much time of the file; both in any unit, both more than 0
 */
record Pace(long real, long virtual) {
  /** No policy is scaled to less: a busy machine must not seem to be a plugin that hangs. */
  private static final Map<String, Duration> SHORTEST =
      Map.of(
          "rpc-timeout", Duration.ofSeconds(5),
          "ready-timeout", Duration.ofSeconds(10),
          "gc.interval", Duration.ofSeconds(1),
          "plugin-gc.interval", Duration.ofSeconds(1));

  /** A real worker reports a call that timed out a little after the time. */
  private static final String MARGIN = "settle-margin";

  private static final String REAL_MARGIN = "2s";

  /** Fields of steps that are durations. */
  private static final Set<String> FIELDS = Set.of("stop-on-disconnect", "delay", "within", "to");

  /** As written. */
  static final Pace REAL_TIME = new Pace(1, 1);

  Duration of(Duration time) {
    if (time.isZero()) {
      return time;
    }
    return Duration.ofMillis(Math.max(1, time.toMillis() * real / virtual));
  }

  /** The scenario at this pace. */
  Scenario of(Scenario scenario) {
    List<Scenario.Step> steps = new ArrayList<>();
    for (Scenario.Step step : scenario.steps()) {
      Value body =
          switch (step.kind()) {
            case "advance" -> everyDuration(step.body(), "");
            case "policy" -> settings(step.body());
            case "claim", "script", "answer" -> fields(step.body());
            default -> step.body();
          };
      steps.add(new Scenario.Step(step.kind(), step.place(), body));
    }
    return scenario.with(policy(scenario.policy()), steps);
  }

  private Map<String, String> policy(Map<String, String> own) {
    Map<String, String> all = new LinkedHashMap<>();
    for (Setting<?> setting : PolicySettings.all()) {
      String text = own.getOrDefault(setting.key(), setting.byDefault());
      if (setting.key().equals(MARGIN)) {
        text = own.getOrDefault(MARGIN, REAL_MARGIN);
      } else if (Durations.find(text).isPresent()) {
        text = text(setting.key(), Durations.find(text).get());
      } else if (!own.containsKey(setting.key())) {
        continue;
      }
      all.put(setting.key(), text);
    }
    // Keys that there are not are the product's to refuse.
    own.forEach(all::putIfAbsent);
    return all;
  }

  private Value settings(Value body) {
    Value.Fields fields = body.asFields();
    Map<String, Value> scaled = new LinkedHashMap<>(fields.fields());
    scaled.computeIfPresent("settings", (name, settings) -> everyDuration(settings, ""));
    return new Value.Fields(fields.place(), scaled, fields.keys());
  }

  private Value everyDuration(Value value, String key) {
    if (value instanceof Value.Fields fields) {
      Map<String, Value> scaled = new LinkedHashMap<>();
      fields
          .fields()
          .forEach(
              (name, inner) ->
                  scaled.put(name, everyDuration(inner, key.isEmpty() ? name : key + "." + name)));
      return new Value.Fields(fields.place(), scaled, fields.keys());
    }
    if (value instanceof Value.Text text) {
      Optional<Duration> duration = Durations.find(text.text());
      if (duration.isPresent() && !key.equals(MARGIN)) {
        return new Value.Text(text.place(), text(key, duration.get()));
      }
    }
    return value;
  }

  private Value fields(Value body) {
    Value.Fields fields = body.asFields();
    Map<String, Value> scaled = new LinkedHashMap<>();
    fields
        .fields()
        .forEach(
            (name, value) ->
                scaled.put(name, FIELDS.contains(name) ? everyDuration(value, "") : value));
    return new Value.Fields(fields.place(), scaled, fields.keys());
  }

  private String text(String key, Duration time) {
    if (time.isZero()) {
      return "0s";
    }
    Duration scaled = of(time);
    Duration shortest = SHORTEST.getOrDefault(key, Duration.ZERO);
    // What is shorter than that in the file itself is meant.
    Duration least = time.compareTo(shortest) < 0 ? time : shortest;
    return Math.max(scaled.toMillis(), least.toMillis()) + "ms";
  }

  @Override
  public String toString() {
    return real == virtual
        ? "in real time"
        : real > virtual
            ? "%d times slower".formatted(real / virtual)
            : "%d times faster".formatted(virtual / real);
  }
}
