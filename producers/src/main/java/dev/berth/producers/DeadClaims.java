package dev.berth.producers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which claims have no live alloc any more: a claim whose alloc is missing from a complete list
 * that was begun after the claim was seen.
 *
 * @param own claims of the scheduler (count)
 * @param gone claims to be said gone, by key
 * @param leaving claims without a live alloc that end already (count)
 * @param outnumbered claims without a live alloc that a statement with this run's number would not
 *     reach (count)
 */
record DeadClaims(long own, List<SeenClaim> gone, long leaving, long outnumbered) {

  /**
   * Decides.
   *
   * @param rows the claim table, read to its end before the list was begun
   * @param live the scheduler's live allocs
   * @param index number that the statements will have
   * @throws ReconcileException when the list is empty, the scheduler has live claims, and that is
   *     not allowed
   */
  static DeadClaims among(
      List<SeenClaim> rows,
      String scheduler,
      LiveAllocs live,
      long index,
      boolean emptyListAllowed) {
    List<SeenClaim> own =
        rows.stream()
            .filter(row -> row.scheduler().equals(scheduler))
            .sorted(Comparator.comparing(SeenClaim::key))
            .toList();
    List<SeenClaim> gone = new ArrayList<>();
    long leaving = 0;
    long outnumbered = 0;
    for (SeenClaim row : own) {
      if (!live.lacks(row)) {
        continue;
      }
      if (row.settled()) {
        leaving++;
      } else if (row.index() >= index) {
        outnumbered++;
      } else {
        gone.add(row);
      }
    }
    if (live.ids().isEmpty() && !gone.isEmpty() && !emptyListAllowed) {
      throw new ReconcileException(
          "the list of live allocs is empty, but scheduler '%s' has %d live claims (%s is one): a list that failed would end them all. If it has no alloc any more, set emptyListAllowed (ReconcilerConfig.withEmptyListAllowed)"
              .formatted(scheduler, gone.size(), gone.get(0).key()));
    }
    return new DeadClaims(own.size(), gone, leaving, outnumbered);
  }
}
