package dev.berth.ops.demo;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.Rpc;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a run amounts to, for people.
 *
 * @param claims claims that were made (count)
 * @param granted those of them that were granted (count)
 * @param released claims whose row went (count)
 * @param rejected by code and words: claims that were rejected (count)
 * @param allocEvents events that were written for allocs (count)
 * @param span from the first claim to the last decision
 * @param waits how long claims waited
 * @param rpcs by plugin, then by RPC: calls (count); what changes nothing is left out
 * @param notOk by RPC and code, or {@code cut by a kill}: calls that were not answered OK (count)
 * @param lanes by plugin: what its lane did; plugins without attach and detach have none
 * @param leftAttached volumes that are still attached (count)
 * @param killsAsked how often it was to be killed (count); 0 when nobody asked for that
 * @param killsDone how often it was killed (count)
 * @param lives the processes it took, where it was killed in between; else empty
 * @param timing how long it took
 * @param problems what was wrong
 */
public record DemoSummary(
    int claims,
    int granted,
    int released,
    Map<String, Integer> rejected,
    int allocEvents,
    Duration span,
    Waits waits,
    Map<String, Map<Rpc, Integer>> rpcs,
    Map<Rpc, Map<String, Integer>> notOk,
    Map<String, Lane> lanes,
    int leftAttached,
    int killsAsked,
    int killsDone,
    List<LifeStory> lives,
    DemoResult.Timing timing,
    List<String> problems) {

  /** What is told of a call whose answer a kill prevented, in place of a code. */
  static final String CUT = "cut by a kill";

  /** Copies its lists. */
  public DemoSummary {
    lives = List.copyOf(lives);
    problems = List.copyOf(problems);
  }

  /** The summary of a run. */
  public static DemoSummary of(DemoResult result) {
    List<Call> work =
        result.calls().stream().filter(call -> call.facts().rpc().changesState()).toList();
    DemoResult.TopicFindings topics = result.topics();
    return new DemoSummary(
        topics.stories().size(),
        (int)
            topics.stories().stream()
                .filter(story -> story.answer() == ClaimStory.Answer.GRANTED)
                .count(),
        topics.count("released"),
        rejected(topics.stories()),
        topics.allocEvents(),
        span(topics),
        Waits.of(topics.stories()),
        rpcs(work),
        notOk(work),
        lanes(work, result.lives()),
        result.providers().values().stream().mapToInt(p -> p.attachments().size()).sum(),
        result.killsAsked(),
        result.killsDone(),
        result.lives(),
        result.timing(),
        DemoCheck.problems(result));
  }

  /** Claims a second, from the first claim to the last decision. */
  double claimsPerSecond() {
    return perSecond(claims);
  }

  /** Events of allocs a second, likewise. */
  double eventsPerSecond() {
    return perSecond(allocEvents);
  }

  /** The RPCs that the table shows, in the order of a volume's life. */
  static List<Rpc> shown() {
    return Arrays.stream(Rpc.values()).filter(Rpc::changesState).toList();
  }

  private double perSecond(int count) {
    return span.isZero() ? 0 : count * 1_000.0 / span.toMillis();
  }

  private static Duration span(DemoResult.TopicFindings topics) {
    Instant last = topics.lastDecision().orElse(Instant.EPOCH);
    return topics.stories().stream()
        .map(ClaimStory::askedAt)
        .min(Instant::compareTo)
        .filter(last::isAfter)
        .map(first -> Duration.between(first, last))
        .orElse(Duration.ZERO);
  }

  private static Map<String, Integer> rejected(List<ClaimStory> stories) {
    return stories.stream()
        .filter(story -> story.answer() == ClaimStory.Answer.REJECTED)
        .collect(Collectors.toMap(ClaimStory::reason, story -> 1, Integer::sum, TreeMap::new));
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

  private static Map<Rpc, Map<String, Integer>> notOk(List<Call> work) {
    Map<Rpc, Map<String, Integer>> counts = new EnumMap<>(Rpc.class);
    for (Call call : work) {
      if (!call.isOk()) {
        counts
            .computeIfAbsent(call.facts().rpc(), rpc -> new TreeMap<>())
            .merge(answer(call), 1, Integer::sum);
      }
    }
    return counts;
  }

  private static String answer(Call call) {
    if (call.isCut()) {
      return CUT;
    }
    return call.end().map(end -> end.code().name()).orElse("not answered");
  }

  private static Map<String, Lane> lanes(List<Call> work, List<LifeStory> lives) {
    Map<String, List<Call>> calls =
        work.stream()
            .filter(call -> call.facts().rpc().isControllerWork())
            .collect(
                Collectors.groupingBy(
                    call -> call.facts().plugin(), TreeMap::new, Collectors.toList()));
    Map<String, Lane> lanes = new TreeMap<>();
    calls.forEach((plugin, ofLane) -> lanes.put(plugin, Lane.of(ofLane, lives)));
    return lanes;
  }
}
