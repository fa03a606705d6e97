package dev.berth.ops.scenario;

import java.util.ArrayList;
import java.util.List;

/** Runs scenarios against the real topology in virtual time. */
public final class ScenarioRunner {
  private ScenarioRunner() {}

  /**
   * What came of a scenario.
   *
   * @param scenario the scenario
   * @param failures what was not as expected, in order; empty when all was
   */
  public record Result(Scenario scenario, List<String> failures) {}

  /**
   * Runs a scenario to its end.
   *
   * @throws ScenarioException when a step cannot be understood
   */
  public static Result run(Scenario scenario) {
    try (World world = new World(scenario.manual())) {
      Inputs inputs = new Inputs(world, scenario);
      Expectations expectations = new Expectations(world);
      Settings.ofScenario(world, scenario.policy());
      world.settle();
      List<String> failures = new ArrayList<>();
      try {
        for (Scenario.Step step : scenario.steps()) {
          if (step.kind().equals("expect")) {
            expectations.check(step.body().asFields());
          } else if (!inputs.apply(step)) {
            throw step.place().problem("unknown step '" + step.kind() + "'");
          }
        }
      } catch (AssertionError impossible) {
        failures.add(String.valueOf(impossible.getMessage()));
      }
      expectations.failures().forEach(failure -> failures.add(failure.toString()));
      boolean edited = scenario.steps().stream().anyMatch(step -> step.kind().equals("row"));
      Invariants.broken(world, edited)
          .forEach(broken -> failures.add(scenario.file() + ": " + broken));
      return new Result(scenario, failures);
    }
  }
}
