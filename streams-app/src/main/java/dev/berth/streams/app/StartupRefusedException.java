package dev.berth.streams.app;

import java.util.List;

/** The application must not start on this cluster. Each problem says what would help. */
public final class StartupRefusedException extends RuntimeException {
  private final List<String> problems;

  StartupRefusedException(List<String> problems) {
    super(String.join(System.lineSeparator(), problems));
    this.problems = List.copyOf(problems);
  }

  /** The problems, each with its remedy. */
  public List<String> problems() {
    return problems;
  }
}
