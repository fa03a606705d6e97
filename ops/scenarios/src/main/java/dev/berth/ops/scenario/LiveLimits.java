package dev.berth.ops.scenario;

import dev.berth.records.RpcCode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What no live run can do, whatever time it takes. */
final class LiveLimits {
  /** Steps that only set the scene: they are carried out at once, and waited for together. */
  static final Set<String> SCENE = Set.of("volume", "node", "plugin", "policy", "secret", "script");

  private static final Set<String> INSTANT = Set.of("expect", "advance", "script", "secret");

  private static final Map<String, String> EXPECTATIONS =
      Map.of(
          "owner", "the one live worker has a name of its own, and keeps what it has",
          "eta", "predictions come from the application's stores, which a live run cannot ask",
          "findings", "findings need listings, and a live listing is not what a file says");

  private LiveLimits() {}

  /** Whether a live step takes time before the next one. */
  static boolean takesTime(Scenario.Step step) {
    return !INSTANT.contains(step.kind()) && !SCENE.contains(step.kind());
  }

  /** The first thing in a scenario that cannot be done live. */
  static Optional<Problem> unable(Scenario scenario) {
    int steps = 0;
    for (Scenario.Step step : scenario.steps()) {
      Optional<String> reason = unable(step);
      if (reason.isEmpty() && takesTime(step) && ++steps > LivePlan.MOST_STEPS) {
        reason =
            Optional.of(
                "it has more than %d steps, each of which takes a second or so"
                    .formatted(LivePlan.MOST_STEPS));
      }
      if (reason.isPresent()) {
        return reason.map(text -> new Problem(step.place().file(), step.place().line(), text));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> unable(Scenario.Step step) {
    return switch (step.kind()) {
      case "row" -> Optional.of("a live store cannot be edited behind Berth's back");
      case "listing" ->
          Optional.of(
              "a live plugin lists what it has, at a time of its own, not what a file says");
      case "rebalance" -> Optional.of("there is one live worker: nothing moves to another");
      case "restart" ->
          step.body().asText().equals("streams")
              ? Optional.empty()
              : Optional.of(
                  "a live worker shares the process: it cannot crash without its open calls"
                      + " being reported");
      case "answer" -> answer(step.body().asFields());
      case "expect" -> expect(step.body().asFields());
      default -> Optional.empty();
    };
  }

  private static Optional<String> answer(Value.Fields f) {
    PluginAnswer answer = PluginAnswer.of(f);
    if (answer.neverArrived()) {
      return Optional.of("a live call that is open has arrived");
    }
    return answer.code() == RpcCode.OK && !answer.done()
        ? Optional.of("a simulated driver that answers ok has done it")
        : Optional.empty();
  }

  private static Optional<String> expect(Value.Fields f) {
    for (Map.Entry<String, Value> field : f.fields().entrySet()) {
      if (EXPECTATIONS.containsKey(field.getKey())) {
        return Optional.of(EXPECTATIONS.get(field.getKey()));
      }
      if (field.getKey().equals("backlog")
          && field.getValue().asFields().fields().values().stream()
              .anyMatch(plugin -> plugin.asFields().find("oldest").isPresent())) {
        return Optional.of("the age of a backlog is never a whole number of seconds live");
      }
    }
    return Optional.empty();
  }
}
