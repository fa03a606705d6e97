package dev.berth.bench.report;

/**
 * What a measure should be, and what it was.
 *
 * @param name what is asked for
 * @param bound on which side of the limit it must be
 * @param limit the limit
 * @param found what was found: a median, or the worst of several
 * @param unit unit of limit and found; empty for ratios
 */
public record Goal(String name, Bound bound, double limit, double found, String unit) {
  /** The side of a limit. */
  public enum Bound {
    /** No more than the limit. */
    AT_MOST,
    /** No less than the limit. */
    AT_LEAST;

    /** In words. */
    public String text() {
      return this == AT_MOST ? "at most" : "at least";
    }
  }

  /** Whether it was reached. */
  public boolean met() {
    return bound == Bound.AT_MOST ? found <= limit : found >= limit;
  }
}
