package dev.berth.ops.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Whether a scenario can run live, and how. Pure: the same file always gets the same answer.
 *
 * <p>What it does must be possible without reaching into a process; and its outcome must not hang
 * on how long a step takes. The second is tried, not guessed: at each pace that fits into the time
 * there is, the scenario runs in virtual time as a live stack would run it, with seconds that go by
 * at each step and collections that fall anywhere. The first pace at which all of that comes out as
 * the file itself does is taken.
 */
public sealed interface LivePlan {

  /**
   * It can.
   *
   * @param scenario what to run, with the times of the pace
   * @param pace how fast its time goes by, in words
   * @param waits real time that it lets pass; its steps take time of their own
   */
  record Runs(Scenario scenario, String pace, Duration waits) implements LivePlan {}

  /**
   * It cannot.
   *
   * @param reason why, and because of which line
   */
  record Cannot(Problem reason) implements LivePlan {}

  /** Longest real time that one scenario lets pass. */
  Duration LONGEST_WAIT = Duration.ofSeconds(60);

  /** Most steps that each take their time. */
  int MOST_STEPS = 60;

  /** Plans a scenario. */
  static LivePlan of(Scenario scenario) {
    return LiveLimits.unable(scenario).<LivePlan>map(Cannot::new).orElseGet(() -> paced(scenario));
  }

  private static LivePlan paced(Scenario scenario) {
    Set<Integer> failing = failingLines(scenario);
    Optional<Problem> tight = Optional.empty();
    for (Pace pace : Trial.PACES) {
      Duration waits = pace.of(Trial.total(scenario));
      if (waits.compareTo(LONGEST_WAIT) > 0) {
        continue;
      }
      Scenario scaled = pace.of(scenario);
      Optional<Problem> other = firstOther(scaled, failing);
      if (other.isEmpty()) {
        return new Runs(scaled, pace.toString(), waits);
      }
      tight = tight.isEmpty() ? other : tight;
    }
    return new Cannot(tight.orElseGet(() -> tooLong(scenario)));
  }

  private static Problem tooLong(Scenario scenario) {
    Scenario.Step longest =
        scenario.steps().stream()
            .filter(step -> step.kind().equals("advance"))
            .max(java.util.Comparator.comparing(Trial::length))
            .orElseThrow();
    return new Problem(
        longest.place().file(),
        longest.place().line(),
        "it lets %s pass, which no pace brings under %d s"
            .formatted(
                Durations.since(Trial.total(scenario)).substring(1), LONGEST_WAIT.toSeconds()));
  }

  /** The first expectation that comes out otherwise when time goes by as it does live. */
  private static Optional<Problem> firstOther(Scenario scaled, Set<Integer> failing) {
    for (Trial trial : Trial.ALL) {
      Set<Integer> lines = failingLines(trial.of(scaled));
      Set<Integer> other = new TreeSet<>(lines);
      other.removeAll(failing);
      if (other.isEmpty() && !lines.equals(failing)) {
        other.addAll(failing);
        other.removeAll(lines);
      }
      if (!other.isEmpty()) {
        int line = other.iterator().next();
        return Optional.of(
            new Problem(
                scaled.file(),
                line,
                "its outcome depends on time that a live step takes: up to %d s each"
                    .formatted(Trial.SLOWEST_STEP.toSeconds())));
      }
    }
    return Optional.empty();
  }

  private static Set<Integer> failingLines(Scenario scenario) {
    return ScenarioRunner.run(scenario).failures().stream()
        .map(Failure::line)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * One way in which time may go by live.
   *
   * @param perStep time that each step takes
   * @param first time between a whole multiple of the collection interval and the begin, in parts
   *     of an interval (percent)
   */
  record Trial(Duration perStep, int first) {
    /** A slow step on a busy machine. */
    static final Duration SLOWEST_STEP = Duration.ofSeconds(2);

    static final List<Trial> ALL =
        List.of(
            new Trial(Duration.ZERO, 0),
            new Trial(SLOWEST_STEP, 50),
            new Trial(Duration.ofMillis(400), 25));

    /** Nearest to the file first. */
    static final List<Pace> PACES =
        List.of(
            Pace.REAL_TIME,
            new Pace(2, 1),
            new Pace(5, 1),
            new Pace(10, 1),
            new Pace(20, 1),
            new Pace(1, 3),
            new Pace(1, 10),
            new Pace(1, 30),
            new Pace(1, 60),
            new Pace(1, 120),
            new Pace(1, 240));

    Scenario of(Scenario scaled) {
      List<Scenario.Step> steps = new ArrayList<>();
      Value.Place place = new Value.Place(scaled.file(), 1);
      if (first > 0 && !isDated(scaled)) {
        Duration interval =
            Durations.find(scaled.policy().getOrDefault("gc.interval", "5m")).orElseThrow();
        steps.add(pause(place, interval.multipliedBy(first).dividedBy(100)));
      }
      for (Scenario.Step step : scaled.steps()) {
        steps.add(step);
        if (LiveLimits.takesTime(step) && !perStep.isZero()) {
          steps.add(pause(step.place(), perStep));
        }
      }
      return scaled.with(scaled.policy(), steps);
    }

    private static boolean isDated(Scenario scenario) {
      return scenario.steps().stream()
          .anyMatch(step -> step.kind().equals("advance") && step.body() instanceof Value.Fields);
    }

    private static Scenario.Step pause(Value.Place place, Duration time) {
      return new Scenario.Step(
          "advance", place, new Value.Text(place, Math.max(1, time.toMillis()) + "ms"));
    }

    /** Time that the file lets pass. */
    static Duration total(Scenario scenario) {
      Duration passed = Duration.ZERO;
      for (Scenario.Step step : scenario.steps()) {
        if (!step.kind().equals("advance")) {
          continue;
        }
        Duration length = length(step);
        if (step.body() instanceof Value.Fields) {
          passed = length.compareTo(passed) > 0 ? length : passed;
        } else {
          passed = passed.plus(length);
        }
      }
      return passed;
    }

    static Duration length(Scenario.Step step) {
      return Durations.parse(
          step.body() instanceof Value.Fields fields ? fields.get("to") : step.body());
    }
  }
}
