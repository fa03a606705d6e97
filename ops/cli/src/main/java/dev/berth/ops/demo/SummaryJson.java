package dev.berth.ops.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.driver.calls.Rpc;
import java.util.List;
import java.util.Map;

/** A summary as JSON; times are milliseconds. */
final class SummaryJson {

  private SummaryJson() {}

  /** The document. */
  static ObjectNode document(DemoSummary summary, PlanFacts plan, ObjectMapper mapper) {
    ObjectNode root = mapper.createObjectNode();
    root.put("ok", summary.problems().isEmpty());
    root.set("plan", mapper.valueToTree(plan));
    claims(summary, root.putObject("claims"));
    throughput(summary, root.putObject("throughput"));
    waits(summary.waits(), root.putObject("waits"));
    ObjectNode rpcs = root.putObject("rpcs");
    summary.rpcs().forEach((plugin, counts) -> counts(counts, rpcs.putObject(plugin)));
    ObjectNode notOk = root.putObject("notOk");
    summary.notOk().forEach((rpc, codes) -> codes.forEach(notOk.putObject(rpc.csiName())::put));
    ObjectNode lanes = root.putObject("lanes");
    summary.lanes().forEach((plugin, lane) -> lane(lane, lanes.putObject(plugin)));
    root.put("leftAttached", summary.leftAttached());
    if (summary.killsAsked() > 0) {
      root.putObject("kills").put("asked", summary.killsAsked()).put("done", summary.killsDone());
      lives(summary.lives(), root.putArray("lives"));
    }
    timing(summary.timing(), root.putObject("timing"));
    root.set("problems", mapper.valueToTree(summary.problems()));
    return root;
  }

  private static void claims(DemoSummary summary, ObjectNode node) {
    node.put("made", summary.claims());
    node.put("granted", summary.granted());
    node.put("waited", summary.waits().waited());
    node.put("released", summary.released());
    ObjectNode rejected = node.putObject("rejected");
    summary.rejected().forEach(rejected::put);
  }

  private static void throughput(DemoSummary summary, ObjectNode node) {
    node.put("spanMillis", summary.span().toMillis());
    node.put("claimsPerSecond", tenths(summary.claimsPerSecond()));
    node.put("allocEvents", summary.allocEvents());
    node.put("eventsPerSecond", tenths(summary.eventsPerSecond()));
  }

  private static double tenths(double rate) {
    return Math.round(rate * 10) / 10.0;
  }

  private static void waits(Waits waits, ObjectNode node) {
    node.put("p50Millis", waits.half().toMillis());
    node.put("p99Millis", waits.ninetyNine().toMillis());
    node.put("maxMillis", waits.most().toMillis());
    ArrayNode longest = node.putArray("longest");
    for (ClaimStory story : waits.longest()) {
      ObjectNode wait = longest.addObject();
      wait.put("millis", Waits.length(story).toMillis());
      wait.put("alloc", story.claim().alloc());
      wait.put("volume", story.claim().volume());
      wait.put("reason", Waits.reason(story));
    }
  }

  private static void counts(Map<Rpc, Integer> counts, ObjectNode node) {
    counts.forEach((rpc, count) -> node.put(rpc.csiName(), count));
  }

  private static void lane(Lane lane, ObjectNode node) {
    node.put("calls", lane.calls());
    node.put("meanMillis", lane.mean().toMillis());
    node.put("busyPercent", lane.busyPercent());
    node.put("spanMillis", lane.span().toMillis());
  }

  private static void lives(List<LifeStory> lives, ArrayNode array) {
    for (LifeStory story : lives) {
      ObjectNode node = array.addObject();
      node.put("startedAt", story.life().startedAt().toString());
      story
          .untilFirstDecision()
          .ifPresent(until -> node.put("untilFirstDecisionMillis", until.toMillis()));
      story
          .life()
          .killed()
          .ifPresent(
              kill -> {
                ObjectNode killed = node.putObject("killed");
                killed.put("at", kill.at().toString());
                killed.put("during", kill.during());
                killed.put("done", kill.done());
                killed.put("total", kill.total());
              });
    }
  }

  private static void timing(DemoResult.Timing timing, ObjectNode node) {
    node.put("untilReadyMillis", timing.untilReady().toMillis());
    timing.untilFirstGrant().ifPresent(d -> node.put("untilFirstGrantMillis", d.toMillis()));
    node.put("runMillis", timing.run().toMillis());
    timing.peakMemoryKb().ifPresent(kb -> node.put("peakMemoryKb", kb));
  }
}
