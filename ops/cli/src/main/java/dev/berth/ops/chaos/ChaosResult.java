package dev.berth.ops.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A run in figures.
 *
 * @param schedule what was to be done
 * @param protocols of the groups
 * @param claims asked (count)
 * @param granted of them (count)
 * @param unanswered given up by their clients (count)
 * @param rejected by code (counts)
 * @param commands of an operator, by command and outcome (counts)
 * @param calls of the plugins that change something (count)
 * @param strikes faults done, by kind and process (counts)
 * @param workerFailovers see {@link Failovers}
 * @param streamsFailovers see {@link Failovers}
 * @param outlived whether calls were told to go on after their callers had gone
 * @param problems what was wrong, a line each
 * @param lateSends controller calls that left their worker after the time allowed (count); what
 *     they are is among the problems or apart
 * @param apart what nothing can exclude, a line each
 */
public record ChaosResult(
    ChaosSchedule schedule,
    GroupProtocols protocols,
    int claims,
    int granted,
    int unanswered,
    Map<String, Integer> rejected,
    Map<String, Integer> commands,
    int calls,
    Map<String, Long> strikes,
    List<Duration> workerFailovers,
    List<Duration> streamsFailovers,
    boolean outlived,
    List<String> problems,
    int lateSends,
    List<String> apart) {

  /** Copies everything. */
  public ChaosResult {
    rejected = Map.copyOf(rejected);
    commands = Map.copyOf(commands);
    strikes = Map.copyOf(strikes);
    workerFailovers = List.copyOf(workerFailovers);
    streamsFailovers = List.copyOf(streamsFailovers);
    problems = List.copyOf(problems);
    apart = List.copyOf(apart);
  }

  /** Whether no rule was broken. */
  public boolean isGood() {
    return problems.isEmpty();
  }

  /**
   * As a JSON object; durations in milliseconds, {@code schedule} is the version of the schedules.
   */
  public ObjectNode json(ObjectMapper mapper) {
    ObjectNode node = mapper.createObjectNode();
    node.put("schedule", ChaosSchedule.VERSION);
    node.put("seed", schedule.seed());
    node.put("seconds", schedule.length().toSeconds());
    node.put("groups", protocols.word());
    node.put("callsOutlive", outlived);
    node.put("good", isGood());
    node.put("claims", claims);
    node.put("granted", granted);
    node.put("unanswered", unanswered);
    node.set("rejected", mapper.valueToTree(rejected));
    node.set("commands", mapper.valueToTree(new TreeMap<>(commands)));
    node.put("calls", calls);
    node.set("faults", mapper.valueToTree(strikes));
    node.set("workerFailoverMillis", mapper.valueToTree(millis(workerFailovers)));
    node.set("streamsFailoverMillis", mapper.valueToTree(millis(streamsFailovers)));
    node.put("lateSends", lateSends);
    node.set("problems", mapper.valueToTree(problems));
    node.set("apart", mapper.valueToTree(apart));
    return node;
  }

  /** For people, a line each. */
  public List<String> text() {
    return List.of(
        "seed %d, %s groups: %s"
            .formatted(schedule.seed(), protocols.word(), isGood() ? "right" : "WRONG"),
        "  %d claims, %d granted, %d given up, rejected %s; %d calls"
            .formatted(claims, granted, unanswered, rejected, calls),
        "  commands of an operator: " + new TreeMap<>(commands),
        "  faults done: " + strikes,
        "  worker kill to next call of every lane (ms): " + millis(workerFailovers),
        "  streams kill to next decision of every partition (ms): " + millis(streamsFailovers),
        "  controller calls sent after the time allowed: " + lateSends,
        "  counted apart: " + apart.size() + lines(apart),
        "  problems: " + problems.size() + lines(problems));
  }

  private static String lines(List<String> texts) {
    StringBuilder lines = new StringBuilder();
    texts.stream().limit(20).forEach(text -> lines.append("\n    ").append(text));
    return lines.toString();
  }

  private static List<Long> millis(List<Duration> durations) {
    return durations.stream().map(Duration::toMillis).toList();
  }
}
