package dev.berth.ops.demo;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.Rpc;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a run amounts to, for people.
 *
 * @param taken claims taken (count)
 * @param waited claims that were told to wait (count)
 * @param released claims whose row is gone (count)
 * @param rpcs by plugin, then by RPC: calls (count); what changes nothing is left out
 * @param retried calls that were not answered OK (count)
 * @param lanes by plugin: what its lane did; plugins without attach and detach have none
 * @param longestWait the claim that waited longest after it was told to; empty when none was
 * @param leftAttached volumes that are still attached (count)
 * @param timing how long it took
 * @param problems what was wrong
 */
public record DemoSummary(
    int taken,
    int waited,
    int released,
    Map<String, Map<Rpc, Integer>> rpcs,
    int retried,
    Map<String, Lane> lanes,
    Optional<ClaimStory> longestWait,
    int leftAttached,
    DemoResult.Timing timing,
    List<String> problems) {

  /** Copies its list. */
  public DemoSummary {
    problems = List.copyOf(problems);
  }

  /**
   * A lane's work.
   *
   * @param calls attaches and detaches (count)
   * @param busy time with a call open
   * @param span from its first call to the end of its last one
   */
  public record Lane(int calls, Duration busy, Duration span) {

    /** Share of the span with a call open (percent). */
    public int busyPercent() {
      return span.isZero() ? 0 : (int) (100 * busy.toMillis() / Math.max(1, span.toMillis()));
    }

    /** Mean time of a call. */
    public Duration mean() {
      return calls == 0 ? Duration.ZERO : busy.dividedBy(calls);
    }
  }

  /** The summary of a run. */
  public static DemoSummary of(DemoResult result) {
    List<Call> work =
        result.calls().stream().filter(call -> call.facts().rpc().changesState()).toList();
    return new DemoSummary(
        result.topics().count("taken"),
        (int) result.stories().stream().filter(story -> story.waited().isPresent()).count(),
        result.topics().count("released"),
        rpcs(work),
        (int) work.stream().filter(call -> !call.isOk()).count(),
        lanes(work),
        result.stories().stream()
            .filter(story -> story.waited().isPresent())
            .max(Comparator.comparing(ClaimStory::untilAnswer)),
        result.providers().values().stream().mapToInt(p -> p.attachments().size()).sum(),
        result.timing(),
        DemoCheck.problems(result));
  }

  /** The RPCs that the table shows, in the order of a volume's life. */
  static List<Rpc> shown() {
    return Arrays.stream(Rpc.values()).filter(Rpc::changesState).toList();
  }

  private static Map<String, Map<Rpc, Integer>> rpcs(List<Call> work) {
    Map<String, Map<Rpc, Integer>> counts = new TreeMap<>();
    for (Call call : work) {
      counts
          .computeIfAbsent(call.facts().plugin(), plugin -> new EnumMap<>(Rpc.class))
          .merge(call.facts().rpc(), 1, Integer::sum);
    }
    return counts;
  }

  private static Map<String, Lane> lanes(List<Call> work) {
    Map<String, Lane> lanes = new TreeMap<>();
    for (String plugin : new TreeMap<>(rpcs(work)).keySet()) {
      List<Call> ofLane =
          work.stream()
              .filter(call -> call.facts().plugin().equals(plugin))
              .filter(call -> call.facts().rpc().isControllerWork())
              .toList();
      if (!ofLane.isEmpty()) {
        lanes.put(plugin, lane(ofLane));
      }
    }
    return lanes;
  }

  private static Lane lane(List<Call> calls) {
    Duration busy = Duration.ZERO;
    Instant first = calls.get(0).startedAt();
    Instant last = first;
    for (Call call : calls) {
      Instant end = call.end().map(Call.End::at).orElse(call.startedAt());
      busy = busy.plus(Duration.between(call.startedAt(), end));
      last = end.isAfter(last) ? end : last;
    }
    return new Lane(calls.size(), busy, Duration.between(first, last));
  }
}
