package dev.berth.producers;

import java.util.Map;

/**
 * What a reconciliation found and said.
 *
 * @param rows claims in the table, of all schedulers (count)
 * @param own claims of this scheduler (count)
 * @param gone own claims that were said to be gone (count)
 * @param leaving own claims without a live alloc that are on their way out already (count); nothing
 *     needs to be said of them
 * @param outnumbered own claims without a live alloc whose last statement has a higher number than
 *     this run's (count): Berth would not listen. They are left alone; when they stay, the numbers
 *     of the scheduler's statements went back (see {@link IndexSource})
 * @param unreadable claims that could not be read (count); they are left alone
 * @param position how far the claim table was read: the offset behind the last record by partition.
 *     Nothing was said of a claim that was taken after it
 */
public record ReconcileReport(
    long rows,
    long own,
    long gone,
    long leaving,
    long outnumbered,
    long unreadable,
    Map<Integer, Long> position) {

  /** Copies the position. */
  public ReconcileReport {
    position = Map.copyOf(position);
  }
}
