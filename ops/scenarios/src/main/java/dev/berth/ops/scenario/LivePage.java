package dev.berth.ops.scenario;

import java.util.ArrayList;
import java.util.List;

/** The page that says which scenarios run live and why others cannot: LIVE.md. */
final class LivePage {
  private LivePage() {}

  /** The page of these scenarios. */
  static String markdown(List<Scenario> scenarios) {
    List<String> live = new ArrayList<>();
    List<String> others = new ArrayList<>();
    // Side by side: each plan is some runs in virtual time.
    List<LivePlan> plans = scenarios.parallelStream().map(LivePlan::of).toList();
    for (int i = 0; i < plans.size(); i++) {
      (plans.get(i) instanceof LivePlan.Runs ? live : others)
          .add(row(scenarios.get(i), plans.get(i)));
    }
    return """
        # Scenarios that run live

        Written by `LivePageTest` from what `berth scenario run --live` decides; see [FORMAT.md](FORMAT.md#live).
        Of %d scenarios of the product %d run live.

        ## Can

        | scenario | pace | lets pass |
        |---|---|---|
        %s

        ## Cannot, and why

        | scenario | why | line |
        |---|---|---|
        %s
        """
        .formatted(
            scenarios.size(), live.size(), String.join("\n", live), String.join("\n", others));
  }

  /** The line of one scenario. */
  static String row(Scenario scenario, LivePlan plan) {
    if (plan instanceof LivePlan.Runs runs) {
      return "| %s | %s | %d s |".formatted(scenario.id(), runs.pace(), runs.waits().toSeconds());
    }
    Problem reason = ((LivePlan.Cannot) plan).reason();
    return "| %s | %s | `%s:%d` |"
        .formatted(scenario.id(), reason.text(), reason.file(), reason.line());
  }
}
