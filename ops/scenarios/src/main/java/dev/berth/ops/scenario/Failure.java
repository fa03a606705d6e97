package dev.berth.ops.scenario;

/**
 * An expectation that was not met.
 *
 * @param place file and line
 * @param what what was checked
 * @param expected what the file says
 * @param actual what was there
 */
public record Failure(Value.Place place, String what, Object expected, Object actual) {
  @Override
  public String toString() {
    return place + ": " + what + "\n    expected " + expected + "\n    actual   " + actual;
  }
}
