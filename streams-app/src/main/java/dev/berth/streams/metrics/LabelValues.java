package dev.berth.streams.metrics;

import java.util.HashSet;
import java.util.Set;

/**
 * The values of one label in one look: as many as may be, then all others as one, for each value is
 * a series that is kept for weeks. Confined to a thread.
 */
final class LabelValues {
  /** What the values beyond the bound are called: no id may be named so. */
  static final String OTHERS = "(others)";

  private final int most;
  private final Set<String> known = new HashSet<>();

  /**
   * Prepares.
   *
   * @param most values that are told apart (count)
   */
  LabelValues(int most) {
    this.most = most;
  }

  /** The value, or {@link #OTHERS}. */
  String of(String value) {
    if (known.contains(value)) {
      return value;
    }
    return known.size() < most && known.add(value) ? value : OTHERS;
  }
}
