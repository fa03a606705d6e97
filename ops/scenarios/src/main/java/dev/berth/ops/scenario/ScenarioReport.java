package dev.berth.ops.scenario;

import java.time.Duration;
import java.util.List;

/**
 * What became of a scenario file.
 *
 * @param file the file, as it was named
 * @param id id of the scenario; the file's name when it could not be understood
 * @param title its title; empty when it has none or could not be understood
 * @param problems why it could not be understood; empty when it could
 * @param notLive why it cannot run live; empty when it can, or was not to
 * @param failures what was not as expected; empty when all was or nothing was run
 * @param trace everything that happened; empty unless asked for
 * @param took real time it took
 */
public record ScenarioReport(
    String file,
    String id,
    String title,
    List<Problem> problems,
    List<Problem> notLive,
    List<Failure> failures,
    List<TraceLine> trace,
    Duration took) {

  /** What became of it, in a word. */
  public enum Verdict {
    /** Everything was as expected. */
    PASSED,
    /** Something was not. */
    FAILED,
    /** The file cannot be understood: nothing was run. */
    ERROR,
    /** It was to run live and cannot: nothing was run. */
    NOT_LIVE
  }

  /** What became of it, in a word. */
  public Verdict verdict() {
    if (!problems.isEmpty()) {
      return Verdict.ERROR;
    }
    if (!notLive.isEmpty()) {
      return Verdict.NOT_LIVE;
    }
    return failures.isEmpty() ? Verdict.PASSED : Verdict.FAILED;
  }
}
