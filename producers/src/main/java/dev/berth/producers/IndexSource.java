package dev.berth.producers;

/**
 * Who numbers the statements about an alloc. Berth ignores a statement whose index is not higher
 * than the last it has seen of that alloc on that volume.
 */
public enum IndexSource {
  /**
   * The library: microseconds of its clock, and always more than the last one. After a restart the
   * numbers go on above the old ones as long as the machine's clock has not been set back by more
   * than the time the restart took.
   */
  CLOCK,
  /**
   * The scheduler, for example by the index of its own log. Give it in {@link
   * ClaimRequest.Builder#at} and {@link Alloc#at}. Do not change from one source to the other while
   * allocs live.
   */
  CALLER
}
