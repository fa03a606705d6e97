package dev.berth.ops.scenario;

/**
 * Why a scenario file cannot be run.
 *
 * @param file the file, as it was named
 * @param line line, from 1
 * @param text what is wrong there and what would do
 */
public record Problem(String file, int line, String text) {
  @Override
  public String toString() {
    return file + ":" + line + ": " + text;
  }
}
