package dev.berth.ops.scenario;

import dev.berth.driver.audit.CallAudit;
import dev.berth.driver.audit.Expectations;
import dev.berth.driver.audit.Finding;
import dev.berth.driver.calls.Call;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds the drivers' own log of a live run against what CSI and the lanes promise: how many calls
 * were open together, that each names its node, and that the steps of a node come in order. Pure.
 *
 * <p>The standing rules judge the same run by what Berth says of it; a worker that called a plugin
 * twice for one record of work would not be seen there. That single-node volumes are released
 * before they go to another node is theirs alone: an operator's word for it is in no plugin's log.
 */
final class LiveAudit {
  private static final String LANE = "lane";
  private static final String LANE_OF_PLUGIN = "plugin";
  private static final String LANE_WITHIN_VOLUME = "volume-node";

  private LiveAudit() {}

  /** What was not as promised, in words; empty when all was. */
  static List<String> broken(Scenario scenario, List<Call> calls) {
    Expectations allowed = allowed(scenario);
    List<Finding> findings = new ArrayList<>(CallAudit.tooManyOpen(calls, allowed));
    findings.addAll(CallAudit.withoutNode(calls));
    findings.addAll(CallAudit.outOfOrder(calls, allowed));
    return findings.stream().map(Finding::evidence).toList();
  }

  private static Expectations allowed(Scenario scenario) {
    Set<String> lanes = new HashSet<>();
    lanes.add(scenario.policy().getOrDefault(LANE, LANE_OF_PLUGIN));
    for (Scenario.Step step : scenario.steps()) {
      if (step.kind().equals("policy")) {
        step.body()
            .asFields()
            .find("settings")
            .flatMap(settings -> settings.asFields().find(LANE))
            .ifPresent(lane -> lanes.add(lane.asText()));
      }
    }
    return new Expectations(
        lanes.equals(Set.of(LANE_OF_PLUGIN)) ? 1 : Integer.MAX_VALUE,
        lanes.contains(LANE_WITHIN_VOLUME) ? Integer.MAX_VALUE : 1,
        excused(scenario));
  }

  /**
   * Provider's ids of nodes whose own steps somebody else answers for: a client that said it
   * unmounted, or whoever knows that the node is down.
   */
  private static Set<String> excused(Scenario scenario) {
    Set<String> nodes = new HashSet<>();
    Map<String, Set<String>> byAlloc = scenario.nodesByAlloc();
    for (Scenario.Step step : scenario.steps()) {
      switch (step.kind()) {
        case "unmounted" ->
            nodes.addAll(byAlloc.getOrDefault(step.body().asFields().text("alloc"), Set.of()));
        case "node" -> {
          if (!step.body().asFields().text("status").equals("ready")) {
            nodes.add(step.body().asFields().text("id"));
          }
        }
        case "command" ->
            step.body()
                .asFields()
                .find("fence")
                .ifPresent(fence -> nodes.add(fence.asFields().text("node")));
        default -> {
          // Says nothing of what a node has done.
        }
      }
    }
    Set<String> external = new HashSet<>();
    for (Scenario.Step step : scenario.steps()) {
      if (step.kind().equals("plugin") && nodes.contains(step.body().asFields().text("node"))) {
        step.body().asFields().optional("external-node").ifPresent(external::add);
      }
    }
    return external;
  }
}
