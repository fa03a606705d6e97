package dev.berth.producers.trace;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * How fast a trace is replayed.
 *
 * @param factor seconds of the trace per second, more than 0; empty: as fast as Berth goes, only
 *     the order of the events is kept
 * @param claimsPerSecond allocs that may claim per second at most, more than 0; empty: no limit
 */
public record Pace(OptionalDouble factor, OptionalDouble claimsPerSecond) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException naming value and remedy
   */
  public Pace {
    requirePositive("speed", factor);
    requirePositive("rate", claimsPerSecond);
  }

  /** As fast as Berth goes. */
  public static Pace max() {
    return new Pace(OptionalDouble.empty(), OptionalDouble.empty());
  }

  /** So many seconds of the trace per second. */
  public static Pace times(double factor) {
    return new Pace(OptionalDouble.of(factor), OptionalDouble.empty());
  }

  /**
   * Reads {@code max} or a factor.
   *
   * @throws IllegalArgumentException naming value and remedy
   */
  public static Pace parse(String text) {
    if (text.equals("max")) {
      return max();
    }
    try {
      return times(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "speed '%s' is no number: give a factor such as 1000, or max".formatted(text), e);
    }
  }

  /** The same with at most so many claiming allocs per second. */
  public Pace atMost(double allocsPerSecond) {
    return new Pace(factor, OptionalDouble.of(allocsPerSecond));
  }

  /** How long after the first event an event is due (ns); 0 without a factor. */
  long dueNanos(Duration sinceFirst) {
    // A double holds the seconds of any trace; nanoseconds of ten years fit a long.
    return factor.isEmpty() ? 0 : (long) (sinceFirst.toSeconds() / factor.getAsDouble() * 1e9);
  }

  /** The shortest time between two claiming allocs (ns). */
  long betweenClaimsNanos() {
    return claimsPerSecond.isEmpty() ? 0 : (long) (1e9 / claimsPerSecond.getAsDouble());
  }

  private static void requirePositive(String what, OptionalDouble number) {
    if (number.isPresent()
        && !(number.getAsDouble() > 0 && Double.isFinite(number.getAsDouble()))) {
      throw new IllegalArgumentException(
          "%s %s is not possible: give a number above 0".formatted(what, number.getAsDouble()));
    }
  }
}
