package dev.berth.ops.scenario;

import java.util.List;

/**
 * An expectation that was not met.
 *
 * @param file the file, as it was named
 * @param line line of the expectation, from 1
 * @param what what was checked
 * @param expected what the file says
 * @param actual what was there
 * @param trace what led there, as far as it concerns what was checked; empty when more was wrong
 *     than anybody reads
 */
public record Failure(
    String file, int line, String what, String expected, String actual, List<TraceLine> trace) {

  /** The failure without its trace, in three lines. */
  public String summary() {
    return "%s:%d: %s%n    expected %s%n    actual   %s"
        .formatted(file, line, what, expected, actual);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(summary());
    trace.forEach(line -> text.append(System.lineSeparator()).append("    ").append(line));
    return text.toString();
  }
}
