package dev.berth.ops.record;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Lays out what happened as steps: inputs at their times, and between them what had really been
 * seen by then. It is expected only of moments at which the system was at rest: in a scenario
 * everything that follows from an input follows at once, in reality within some hundred
 * milliseconds.
 */
final class Script {
  private final Observed observed;
  private final Duration quiet;
  private final Instant zero;
  private final List<Step> steps = new ArrayList<>();
  private Instant clock;
  private Instant last;

  /** Whether what was seen last follows from time, no longer from the last input. */
  private boolean later;

  Script(Observed observed, Duration quiet, Instant zero) {
    this.observed = observed;
    this.quiet = quiet;
    this.zero = zero;
    clock = zero;
    last = zero;
  }

  List<Step> steps() {
    return steps;
  }

  void add(Item item) {
    Duration gap = Duration.between(last, item.at());
    if (item instanceof Item.Input input) {
      input(input, gap);
    } else {
      if (!later && gap.compareTo(quiet) > 0) {
        expect();
        later = true;
      }
      observed.add(item);
    }
    last = item.at();
  }

  private void input(Item.Input input, Duration gap) {
    boolean settled = gap.compareTo(quiet) >= 0;
    if (settled && !later) {
      expect();
    }
    advance(input.at());
    if (settled) {
      expect();
    }
    steps.addAll(input.steps());
    later = false;
  }

  private void expect() {
    if (observed.any()) {
      steps.add(observed.spend());
    }
  }

  private void advance(Instant to) {
    if (to.isAfter(clock)) {
      steps.add(Step.of("advance").with("to", Duration.between(zero, to)));
      clock = to;
    }
  }

  /** Ends at a time. */
  void end(Instant at) {
    if (!later && Duration.between(last, at).compareTo(quiet) > 0) {
      expect();
    }
    advance(at);
    steps.add(observed.spendAtEnd());
  }
}
