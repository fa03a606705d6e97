package dev.berth.producers.files;

import static java.util.stream.Collectors.joining;

import java.util.List;

/** A file cannot be used; the message has a line for each thing that is wrong in it. */
public final class InvalidFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<FileProblem> problems;

  InvalidFileException(List<FileProblem> problems) {
    super(problems.stream().map(FileProblem::toString).collect(joining(System.lineSeparator())));
    this.problems = List.copyOf(problems);
  }

  /** Returns all that is wrong, in the order of the file. */
  public List<FileProblem> problems() {
    return problems;
  }
}
