package dev.berth.producers.trace;

import java.time.Duration;
import java.util.List;

/**
 * What a replay did.
 *
 * @param claims claims made by this run, in the order of the asking
 * @param allocs allocs of the plan (count)
 * @param before allocs that earlier runs of the feed had brought to their end (count)
 * @param resumed allocs that an earlier run had claimed and this run claimed again (count)
 * @param ended allocs that this run brought to their end (count)
 * @param took how long this run took
 */
public record ReplayResult(
    List<ClaimTimes> claims, int allocs, int before, int resumed, int ended, Duration took) {

  /** Copies the list. */
  public ReplayResult {
    claims = List.copyOf(claims);
  }

  /** Allocs brought to their end per second. */
  public double allocsPerSecond() {
    return took.isZero() ? 0 : ended / (took.toNanos() / 1e9);
  }

  /** Claims that were rejected. */
  public List<ClaimTimes> rejected() {
    return claims.stream().filter(claim -> claim.rejected().isPresent()).toList();
  }
}
