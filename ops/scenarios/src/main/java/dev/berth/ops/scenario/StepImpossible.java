package dev.berth.ops.scenario;

/** A step that cannot be carried out as the world is: what follows in the file has no meaning. */
final class StepImpossible extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Value.Place place;
  private final String what;
  private final String expected;
  private final String actual;

  StepImpossible(Value.Place place, String what, String expected, String actual) {
    super(place + ": " + what + ": expected " + expected + ", but " + actual);
    this.place = place;
    this.what = what;
    this.expected = expected;
    this.actual = actual;
  }

  void noteTo(Failures failures) {
    failures.add(place, what, expected, actual, About.everything());
  }
}
