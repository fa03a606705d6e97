package dev.berth.bench.report;

import dev.berth.bench.machine.Environment;
import dev.berth.bench.measure.Measure;
import dev.berth.bench.measure.Spread;
import dev.berth.ops.terminal.DurationText;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;

/** A report for somebody at a terminal. */
public final class ReportText {
  private ReportText() {}

  /** Its lines. */
  public static List<String> of(Report report, Terminal terminal) {
    Environment on = report.environment();
    List<String> lines = new ArrayList<>();
    lines.add(
        "Berth %s (%s), Java %s, %d cores"
            .formatted(on.berth(), on.commit(), on.java(), on.cores()));
    for (Section section : report.sections()) {
      lines.add("");
      lines.add(terminal.bold(section.bench()) + ", " + DurationText.exact(section.took()));
      TextTable measures =
          new TextTable("MEASURE", "MEDIAN", "MIN .. MAX", "DEVIATION", "UNIT", "OTHERS");
      section.measures().forEach(measure -> row(measures, measure));
      lines.addAll(measures.lines());
      section.notes().forEach(lines::add);
      for (Goal goal : section.goals()) {
        String text =
            "%s: %s, %s %s"
                .formatted(
                    goal.name(),
                    Numbers.text(goal.found(), goal.unit()),
                    goal.bound().text(),
                    Numbers.text(goal.limit(), goal.unit()));
        lines.add(goal.met() ? terminal.good("met     " + text) : terminal.bad("missed  " + text));
      }
    }
    if (report.quick()) {
      lines.add("");
      lines.add("A quick run: it shows that the benches work; its figures say little.");
    }
    return lines;
  }

  private static void row(TextTable table, Measure measure) {
    Spread spread = measure.spread();
    table.row(
        measure.name(),
        Numbers.text(spread.median()),
        Numbers.range(spread),
        Numbers.text(spread.deviation()),
        measure.unit(),
        measure.foreign().map(foreign -> Numbers.percent(foreign.median())).orElse("-"));
  }
}
