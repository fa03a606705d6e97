package dev.berth.ops.explore;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Times as seen from now: a canonical scene always stands at {@link Sim#BEGIN}, and what its rows
 * say of times says how long ago or how far ahead they are.
 *
 * @param now the time that becomes {@link Sim#BEGIN}
 */
record Shift(Instant now) {
  /** Beyond this nothing falls due before something else happens. */
  private static final Duration FAR = Duration.ofHours(4);

  static final Instant FAR_AHEAD = Sim.BEGIN.plus(Duration.ofDays(40));

  /** A time of which only matters when it comes; what is overdue is due now. */
  Instant ahead(Instant at) {
    Duration left = Duration.between(now, at);
    if (left.isNegative()) {
      return Sim.BEGIN;
    }
    return left.compareTo(FAR) > 0 ? FAR_AHEAD : Sim.BEGIN.plus(left);
  }

  @Nullable Instant aheadOrNull(@Nullable Instant at) {
    return at == null ? null : ahead(at);
  }

  /** A time of which matters how long ago it was, up to an age. */
  Instant ago(Instant at, Duration atMost) {
    Duration age = Duration.between(at, now);
    if (age.isNegative()) {
      return Sim.BEGIN;
    }
    return Sim.BEGIN.minus(age.compareTo(atMost) > 0 ? atMost : age);
  }
}
