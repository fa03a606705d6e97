package dev.berth.driver.audit;

import dev.berth.driver.calls.Call;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How many controller calls were open at one time. */
final class OpenTogether {

  private OpenTogether() {}

  /** The greatest number for each scope that the calls have. */
  static Map<String, Integer> most(List<Call> calls, Function<Call, String> scope) {
    Map<String, Integer> most = new TreeMap<>();
    byScope(calls, scope)
        .forEach(
            (name, ofScope) ->
                most.put(name, crowds(ofScope).stream().mapToInt(List::size).max().orElse(0)));
    return most;
  }

  /** A finding for each call that began while too many others were open. */
  static List<Finding> beyond(int limit, List<Call> calls, Function<Call, String> scope) {
    List<Finding> findings = new ArrayList<>();
    byScope(calls, scope)
        .forEach(
            (name, ofScope) ->
                crowds(ofScope).stream()
                    .filter(crowd -> crowd.size() > limit)
                    .map(crowd -> new Finding.TooManyOpen(name, limit, crowd))
                    .forEach(findings::add));
    return findings;
  }

  private static Map<String, List<Call>> byScope(List<Call> calls, Function<Call, String> scope) {
    return calls.stream()
        .filter(call -> call.facts().rpc().isControllerWork())
        .collect(Collectors.groupingBy(scope, LinkedHashMap::new, Collectors.toList()));
  }

  /** For each start of a call: the calls that were open then, the new one last. */
  private static List<List<Call>> crowds(List<Call> calls) {
    List<List<Call>> crowds = new ArrayList<>();
    List<Call> open = new ArrayList<>();
    for (Moment moment : Moment.of(calls)) {
      if (moment.kind() == Moment.Kind.START) {
        open.add(moment.call());
        crowds.add(List.copyOf(open));
      } else if (moment.kind() == Moment.Kind.END) {
        open.remove(moment.call());
      }
    }
    return crowds;
  }
}
