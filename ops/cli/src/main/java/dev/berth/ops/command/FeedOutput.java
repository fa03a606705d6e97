package dev.berth.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.terminal.TextTable;
import dev.berth.producers.trace.ClaimTimes;
import dev.berth.producers.trace.ReplayResult;
import dev.berth.producers.trace.TraceSummary;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What {@code berth feed trace} prints: as fields, and from them as text. */
final class FeedOutput {

  private static final int SHOWN = 5;

  private FeedOutput() {}

  static ObjectNode plan(TraceSummary plan, List<String> nodeIds) {
    ObjectNode json = JsonOutput.mapper().createObjectNode();
    json.put("pods", plan.pods());
    json.put("neverScheduled", plan.neverScheduled());
    json.set("unplaced", JsonOutput.mapper().valueToTree(plan.unplaced()));
    json.put("allocs", plan.allocs());
    json.put("failing", plan.failing());
    json.put("withTwoVolumes", plan.withTwoVolumes());
    json.put("claims", plan.claims());
    json.set("claimsOfPlugin", counts(plan.claimsOfPlugin()));
    json.set("claimsOfAccess", counts(plan.claimsOfAccess()));
    json.set("volumesOfPlugin", counts(plan.volumesOfPlugin()));
    json.put("nodes", plan.nodes());
    json.put("waits", plan.waits());
    json.put("moves", plan.moves());
    json.put("sharedAtOnce", plan.sharedAtOnce());
    json.put("mostLive", plan.mostLive());
    json.put("spanSeconds", plan.span().toSeconds());
    json.set("nodeIds", JsonOutput.mapper().valueToTree(nodeIds));
    return json;
  }

  static ObjectNode result(ReplayResult result) {
    ObjectNode json = JsonOutput.mapper().createObjectNode();
    json.put("allocs", result.allocs());
    json.put("endedBefore", result.before());
    json.put("claimedAgain", result.resumed());
    json.put("ended", result.ended());
    json.put("seconds", result.took().toMillis() / 1000.0);
    json.put("allocsPerSecond", Math.round(result.allocsPerSecond() * 10) / 10.0);
    json.put("waited", result.claims().stream().filter(c -> c.waited().isPresent()).count());
    json.put("longestWaitSeconds", longestWait(result.claims()).toMillis() / 1000.0);
    ArrayNode rejected = json.putArray("rejected");
    result.rejected().stream()
        .limit(SHOWN)
        .forEach(claim -> rejected.add(claim.alloc() + " " + claim.rejected().orElseThrow()));
    json.put("rejectedClaims", result.rejected().size());
    return json;
  }

  /** One line per field. */
  static List<String> text(ObjectNode json) {
    TextTable table = new TextTable("WHAT", "VALUE");
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      JsonNode value = field.getValue();
      table.row(field.getKey(), value.isValueNode() ? value.asText() : value.toString());
    }
    return table.lines();
  }

  private static Duration longestWait(List<ClaimTimes> claims) {
    return claims.stream()
        .flatMap(claim -> claim.untilAnswered().stream())
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  private static ObjectNode counts(Map<?, Integer> counts) {
    ObjectNode json = JsonOutput.mapper().createObjectNode();
    Map<String, Integer> sorted = new TreeMap<>();
    counts.forEach((what, count) -> sorted.put(what.toString(), count));
    sorted.forEach(json::put);
    return json;
  }
}
