package dev.berth.ops.chaos;

import dev.berth.driver.calls.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Controller calls that the plugins saw and no acceptance explains: an acceptance allows each of
 * its calls once, within its time. Pure; for one thread.
 */
final class LateSends {

  private final List<Allowance> allowances;
  private final Map<Allowance, Call> explained = new HashMap<>();
  private final List<Call> late = new ArrayList<>();

  private LateSends(List<Allowance> allowances) {
    this.allowances = allowances;
  }

  /**
   * Finds them, as few as there can be.
   *
   * @param calls the plugins' log
   * @param allowances what acceptances allow; two of them are never equal
   * @param onWaking whether a call left a process that had just been told to go on. When there is
   *     one call more than was allowed, such a one is said to be it
   * @return in the order of the log
   */
  static List<Call> of(List<Call> calls, List<Allowance> allowances, Predicate<Call> onWaking) {
    LateSends sends = new LateSends(allowances);
    calls.stream()
        .filter(call -> call.facts().rpc().isControllerWork())
        .sorted(Comparator.comparing(onWaking::test))
        .forEach(sends::explain);
    return sends.late.stream().sorted(Comparator.comparing(Call::number)).toList();
  }

  private void explain(Call call) {
    if (!find(call, new HashSet<>())) {
      late.add(call);
    }
  }

  /** Takes an acceptance from another call where that one has a second (an augmenting path). */
  private boolean find(Call call, Set<Allowance> tried) {
    for (Allowance allowance : allowances) {
      if (allowance.covers(call) && tried.add(allowance)) {
        Call other = explained.get(allowance);
        if (other == null || find(other, tried)) {
          explained.put(allowance, call);
          return true;
        }
      }
    }
    return false;
  }
}
