package dev.berth.ops.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Leaves out of a list of steps whatever is not needed for what it shows (delta debugging, Zeller
 * and Hildebrandt 2002): halves first, then ever smaller pieces, down to single steps.
 */
final class Shrinking {
  private Shrinking() {}

  /**
   * Shrinks.
   *
   * @param steps steps that show something
   * @param shows whether a list of steps shows it still
   * @return a list of which no single step can be left out
   */
  static List<Step> shrink(List<Step> steps, Predicate<List<Step>> shows) {
    List<Step> kept = new ArrayList<>(steps);
    int piece = Math.max(1, kept.size() / 2);
    while (true) {
      boolean smaller = false;
      for (int from = 0; from < kept.size(); ) {
        List<Step> without = new ArrayList<>(kept.subList(0, from));
        without.addAll(kept.subList(Math.min(kept.size(), from + piece), kept.size()));
        if (shows.test(without)) {
          kept = without;
          smaller = true;
        } else {
          from += piece;
        }
      }
      if (piece > 1) {
        piece = piece / 2;
      } else if (!smaller) {
        return kept;
      }
    }
  }
}
