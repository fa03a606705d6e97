package dev.berth.ops.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.driver.calls.Rpc;
import java.util.Map;

/** A summary as JSON; times are milliseconds. */
final class SummaryJson {

  private SummaryJson() {}

  /** The document. */
  static ObjectNode document(DemoSummary summary, DemoSize size, ObjectMapper mapper) {
    ObjectNode root = mapper.createObjectNode();
    root.put("ok", summary.problems().isEmpty());
    root.set("script", mapper.valueToTree(size));
    ObjectNode claims = root.putObject("claims");
    claims.put("taken", summary.taken());
    claims.put("waited", summary.waited());
    claims.put("released", summary.released());
    summary.longestWait().ifPresent(story -> longestWait(story, claims));
    ObjectNode rpcs = root.putObject("rpcs");
    summary.rpcs().forEach((plugin, counts) -> counts(counts, rpcs.putObject(plugin)));
    root.put("notOk", summary.retried());
    ObjectNode lanes = root.putObject("lanes");
    summary.lanes().forEach((plugin, lane) -> lane(lane, lanes.putObject(plugin)));
    root.put("leftAttached", summary.leftAttached());
    timing(summary.timing(), root.putObject("timing"));
    root.set("problems", mapper.valueToTree(summary.problems()));
    return root;
  }

  private static void longestWait(ClaimStory story, ObjectNode claims) {
    ObjectNode wait = claims.putObject("longestWait");
    wait.put("millis", story.untilAnswer().toMillis());
    wait.put("alloc", story.alloc());
    wait.put("volume", story.volume().id());
    wait.put("reason", story.waited().orElse(""));
  }

  private static void counts(Map<Rpc, Integer> counts, ObjectNode node) {
    counts.forEach((rpc, count) -> node.put(rpc.csiName(), count));
  }

  private static void lane(DemoSummary.Lane lane, ObjectNode node) {
    node.put("calls", lane.calls());
    node.put("meanMillis", lane.mean().toMillis());
    node.put("busyPercent", lane.busyPercent());
    node.put("spanMillis", lane.span().toMillis());
  }

  private static void timing(DemoResult.Timing timing, ObjectNode node) {
    node.put("untilReadyMillis", timing.untilReady().toMillis());
    timing.untilFirstGrant().ifPresent(d -> node.put("untilFirstGrantMillis", d.toMillis()));
    node.put("runMillis", timing.run().toMillis());
    timing.peakMemoryKb().ifPresent(kb -> node.put("peakMemoryKb", kb));
  }
}
