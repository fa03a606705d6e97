package dev.berth.ops.scenario;

import dev.berth.driver.calls.Call;
import java.time.InstantSource;
import java.util.List;

/** Runs scenarios: against the real topology in virtual time, or live. */
public final class ScenarioRunner {
  private ScenarioRunner() {}

  /**
   * What came of a scenario.
   *
   * @param scenario the scenario
   * @param failures what was not as expected, in order; empty when all was
   * @param trace everything that happened; empty unless asked for
   */
  public record Result(Scenario scenario, List<Failure> failures, List<TraceLine> trace) {}

  /** Runs a scenario to its end. */
  public static Result run(Scenario scenario) {
    return run(scenario, false);
  }

  /**
   * Runs a scenario to its end.
   *
   * @param scenario the scenario
   * @param traced whether the result holds everything that happened, also when all was as expected
   */
  public static Result run(Scenario scenario, boolean traced) {
    try (VirtualWorld world = new VirtualWorld(scenario.manual())) {
      Failures failures = new Failures(world.trace());
      run(scenario, world, failures);
      return new Result(
          scenario, List.copyOf(failures.all()), traced ? world.trace().all() : List.of());
    }
  }

  /**
   * Runs a scenario live to its end.
   *
   * @param plan the scenario, with the times at which it can
   * @param source makes the system that it runs on
   * @param clock the clock of this process
   * @param traced whether the result holds everything that happened, also when all was as expected
   */
  public static Result run(
      LivePlan.Runs plan, LiveSystem.Source source, InstantSource clock, boolean traced)
      throws InterruptedException {
    Scenario scenario = plan.scenario();
    LiveCalls calls = new LiveCalls(scenario.manual());
    try (LiveWorld world = new LiveWorld(source.open(scenario.instances(), calls), calls, clock)) {
      Failures failures = new Failures(world.trace());
      run(scenario, world, failures);
      audit(scenario, world, failures);
      return new Result(
          scenario, List.copyOf(failures.all()), traced ? world.trace().all() : List.of());
    }
  }

  /** What really was called is what was to be called, and as it may be. */
  private static void audit(Scenario scenario, LiveWorld world, Failures failures) {
    Value.Place place = scenario.steps().get(scenario.steps().size() - 1).place();
    for (Call call : world.unasked()) {
      failures.add(place, "calls", "only what work asks for", call.describe(), About.everything());
    }
    for (String found : LiveAudit.broken(scenario, world.log())) {
      failures.add(place, "calls", "as CSI and the lanes promise", found, About.everything());
    }
  }

  /** Runs a scenario to its end and tells all that happened meanwhile, in order. */
  static List<Happened> story(Scenario scenario) {
    try (VirtualWorld world = new VirtualWorld(scenario.manual())) {
      run(scenario, world, new Failures(world.trace()));
      return List.copyOf(world.story());
    }
  }

  /** Runs a scenario to its end and tells every record that was written meanwhile, in order. */
  static List<Seen> log(Scenario scenario) {
    return Happened.records(story(scenario)).toList();
  }

  private static void run(Scenario scenario, World world, Failures failures) {
    Inputs inputs = new Inputs(world, scenario);
    Expectations expectations = new Expectations(world, scenario, failures);
    Settings.ofScenario(world, scenario.policy());
    world.settle();
    Value.Place place = new Value.Place(scenario.file(), 1);
    try {
      for (int i = 0; i < scenario.steps().size(); i++) {
        Scenario.Step step = scenario.steps().get(i);
        place = step.place();
        if (step.kind().equals("expect")) {
          expectations.check(step.body().asFields());
        } else {
          inputs.apply(step);
          if (!world.setsUpAtOnce() || !sceneGoesOn(scenario, i)) {
            world.settle();
          }
        }
      }
    } catch (StepImpossible impossible) {
      impossible.noteTo(failures);
    } catch (RuntimeException crash) {
      // Whatever the product throws is its failure, at this step; others go on.
      failures.add(place, "step", "no exception", causes(crash), About.everything());
      return;
    }
    boolean edited = scenario.steps().stream().anyMatch(step -> step.kind().equals("row"));
    for (Invariants.Broken broken : Invariants.broken(world, edited)) {
      failures.add(place, "standing rule", broken.what(), broken.found(), broken.about());
    }
  }

  /** Whether a step and the one after it only set the scene. */
  private static boolean sceneGoesOn(Scenario scenario, int step) {
    return step + 1 < scenario.steps().size()
        && LiveLimits.SCENE.contains(scenario.steps().get(step).kind())
        && LiveLimits.SCENE.contains(scenario.steps().get(step + 1).kind());
  }

  private static String causes(Throwable crash) {
    StringBuilder text = new StringBuilder(crash.toString());
    for (Throwable cause = crash.getCause(); cause != null; cause = cause.getCause()) {
      text.append(", caused by ").append(cause);
    }
    return text.toString();
  }
}
