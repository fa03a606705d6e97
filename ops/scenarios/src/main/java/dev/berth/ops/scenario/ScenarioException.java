package dev.berth.ops.scenario;

/** A scenario file cannot be run as it is: what is wrong, with file and line. */
public final class ScenarioException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ScenarioException(String file, int line, String problem) {
    super(file + ":" + line + ": " + problem);
  }
}
