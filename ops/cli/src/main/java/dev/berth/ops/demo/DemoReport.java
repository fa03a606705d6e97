package dev.berth.ops.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.terminal.Terminal;
import java.util.List;

/**
 * A run as it is told.
 *
 * @param plan what was run
 * @param summary what it amounts to
 */
public record DemoReport(PlanFacts plan, DemoSummary summary) {

  /** The report of a run. */
  public static DemoReport of(DemoResult result) {
    return new DemoReport(PlanFacts.of(result.plan()), DemoSummary.of(result));
  }

  /** Whether all was right. */
  public boolean isGood() {
    return summary.problems().isEmpty();
  }

  /** The lines for a person. */
  public List<String> text(boolean verbose, Terminal terminal) {
    return SummaryText.lines(summary, plan, verbose, terminal);
  }

  /** The document for a program. */
  public JsonNode json(ObjectMapper mapper) {
    return SummaryJson.document(summary, plan, mapper);
  }
}
