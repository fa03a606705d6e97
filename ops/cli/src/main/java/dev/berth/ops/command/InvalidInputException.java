package dev.berth.ops.command;

import dev.berth.producers.files.FileProblem;
import java.util.List;

/** Files that were given cannot be used; nothing was sent. */
final class InvalidInputException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<FileProblem> problems;

  InvalidInputException(List<FileProblem> problems) {
    super(
        problems.size() == 1
            ? "1 error; nothing was sent"
            : problems.size() + " errors; nothing was sent");
    this.problems = List.copyOf(problems);
  }

  List<FileProblem> problems() {
    return problems;
  }
}
