package dev.berth.ops.scenario;

import java.util.List;
import java.util.stream.Collectors;

/** A scenario file cannot be run as it is: what is wrong, with file and line. */
public final class ScenarioException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  ScenarioException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = problems;
  }

  ScenarioException(String file, int line, String problem) {
    this(List.of(new Problem(file, line, problem)));
  }

  /** What is wrong, at least one thing. */
  public List<Problem> problems() {
    return problems;
  }
}
