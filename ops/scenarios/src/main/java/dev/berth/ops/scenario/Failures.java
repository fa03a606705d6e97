package dev.berth.ops.scenario;

import java.util.ArrayList;
import java.util.List;

/** The expectations of a run that were not met. */
final class Failures {
  /** Who reads more traces than these begins with the first. */
  private static final int MOST_TRACES = 20;

  private final Trace trace;
  private final List<Failure> all = new ArrayList<>();

  Failures(Trace trace) {
    this.trace = trace;
  }

  List<Failure> all() {
    return all;
  }

  /** How many there are (count). */
  int count() {
    return all.size();
  }

  /** Takes back those that were noted after there were so many: the world has gone on. */
  void cutTo(int count) {
    all.subList(count, all.size()).clear();
  }

  /** Notes a failure, with what led there until now. */
  void add(Value.Place place, String what, Object expected, Object actual, About about) {
    all.add(
        new Failure(
            place.file(),
            place.line(),
            what,
            expected.toString(),
            actual.toString(),
            all.size() < MOST_TRACES ? trace.last(about) : List.of()));
  }

  /** Notes a failure unless both are the same. */
  void expect(Value.Place place, String what, Object expected, Object actual, About about) {
    if (!expected.equals(actual)) {
      add(place, what, expected, actual, about);
    }
  }
}
