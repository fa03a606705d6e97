package dev.berth.bench.report;

import dev.berth.bench.machine.Environment;
import dev.berth.bench.measure.Measure;
import dev.berth.bench.measure.Spread;
import dev.berth.ops.terminal.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A report as a page; its plots stand beside it. */
public final class ReportMarkdown {
  private final List<String> lines = new ArrayList<>();

  private ReportMarkdown() {}

  /** The page. */
  public static String of(Report report) {
    ReportMarkdown page = new ReportMarkdown();
    page.head(report);
    report.sections().forEach(page::section);
    return String.join("\n", page.lines) + "\n";
  }

  private void head(Report report) {
    Environment on = report.environment();
    lines.add("# Benchmarks");
    lines.add("");
    if (report.quick()) {
      lines.add("A quick run: it shows that the benches work; its figures say little.");
      lines.add("");
    }
    lines.add("| | |");
    lines.add("|---|---|");
    row("when", on.at().toString());
    row("Berth", on.berth() + ", commit " + on.commit());
    row("Kafka", on.kafka());
    row("Java", on.java());
    row("options", code(String.join(" ", on.options())));
    row("system", on.system());
    row("machine", "%s, %d cores, %,d MiB".formatted(on.processor(), on.cores(), on.memoryMib()));
  }

  private void section(Section section) {
    lines.add("");
    lines.add("## " + section.bench());
    lines.add("");
    lines.add(section.about());
    lines.add("");
    lines.add(
        "Settings: "
            + section.settings().entrySet().stream()
                .map(setting -> setting.getKey() + " " + setting.getValue())
                .collect(Collectors.joining(", "))
            + ". Took "
            + DurationText.exact(section.took())
            + ".");
    section.notes().forEach(this::note);
    goals(section.goals());
    for (Plot plot : section.plots()) {
      lines.add("");
      lines.add("![" + plot.title() + "](" + plot.file() + ")");
    }
    medians(Medians.of(section.measures()));
    measures(section.measures());
  }

  private void medians(Medians medians) {
    if (medians.worthShowing()) {
      lines.add("");
      row(medians.head().toArray(String[]::new));
      lines.add("|---|" + "---:|".repeat(medians.head().size() - 1));
      medians.rows().forEach(cells -> row(cells.toArray(String[]::new)));
    }
  }

  private void note(String note) {
    lines.add("");
    lines.add(note);
  }

  private void goals(List<Goal> goals) {
    if (goals.isEmpty()) {
      return;
    }
    lines.add("");
    lines.add("| goal | | limit | found | |");
    lines.add("|---|---|---:|---:|---|");
    for (Goal goal : goals) {
      row(
          goal.name(),
          goal.bound().text(),
          Numbers.text(goal.limit(), goal.unit()),
          Numbers.text(goal.found(), goal.unit()),
          goal.met() ? "met" : "**missed**");
    }
  }

  private void measures(List<Measure> measures) {
    if (measures.isEmpty()) {
      return;
    }
    lines.add("");
    lines.add("| measure | median | min .. max | deviation | of | unit | others used |");
    lines.add("|---|---:|---:|---:|---:|---|---:|");
    for (Measure measure : measures) {
      Spread spread = measure.spread();
      row(
          measure.name(),
          Numbers.text(spread.median()),
          Numbers.range(spread),
          Numbers.text(spread.deviation()),
          String.valueOf(spread.count()),
          measure.unit(),
          measure.foreign().map(ReportMarkdown::shares).orElse(""));
    }
  }

  private static String shares(Spread foreign) {
    return Numbers.percent(foreign.median()) + " (" + Numbers.percent(foreign.max()) + ")";
  }

  private void row(String... cells) {
    lines.add("| " + String.join(" | ", cells) + " |");
  }

  private static String code(String text) {
    return text.isEmpty() ? "none" : "`" + text + "`";
  }
}
