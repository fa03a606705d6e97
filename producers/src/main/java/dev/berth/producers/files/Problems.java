package dev.berth.producers.files;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects all that is wrong in a file, so that it can be shown at once. */
final class Problems {

  private final String file;
  private final List<FileProblem> found = new ArrayList<>();

  Problems(String file) {
    this.file = file;
  }

  void add(int line, String message) {
    found.add(new FileProblem(file, line, message));
  }

  int count() {
    return found.size();
  }

  void throwIfAny() {
    if (!found.isEmpty()) {
      throw new InvalidFileException(
          found.stream().sorted(Comparator.comparingInt(FileProblem::line)).toList());
    }
  }
}
