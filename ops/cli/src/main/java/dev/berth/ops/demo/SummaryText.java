package dev.berth.ops.demo;

import dev.berth.driver.calls.Rpc;
import dev.berth.ops.terminal.DurationText;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A summary as text. */
final class SummaryText {

  private static final String INDENT = "  ";

  private SummaryText() {}

  /** The lines for a person. */
  static List<String> lines(DemoSummary summary, boolean verbose, Terminal terminal) {
    List<String> lines = new ArrayList<>();
    lines.add(terminal.bold("Claims"));
    lines.add(
        INDENT
            + "%d taken, %d of them had to wait first, %d released"
                .formatted(summary.taken(), summary.waited(), summary.released()));
    summary.longestWait().ifPresent(story -> lines.add(INDENT + longestWait(story)));
    lines.add(terminal.bold("Calls to the plugins"));
    rpcTable(summary).lines().forEach(line -> lines.add(INDENT + line));
    if (summary.retried() > 0) {
      lines.add(INDENT + "answered other than OK: %d".formatted(summary.retried()));
    }
    lines.add(terminal.bold("Lanes (one attach or detach at a time each)"));
    summary.lanes().forEach((plugin, lane) -> lines.add(INDENT + lane(plugin, lane)));
    lines.add(terminal.bold("Time"));
    lines.addAll(times(summary.timing(), verbose));
    lines.addAll(verdict(summary, terminal));
    return lines;
  }

  private static String longestWait(ClaimStory story) {
    return "longest wait: %s, %s for volume %s: %s"
        .formatted(
            DurationText.exact(story.untilAnswer()),
            story.alloc(),
            story.volume().id(),
            story.waited().orElse(""));
  }

  private static TextTable rpcTable(DemoSummary summary) {
    List<String> head = new ArrayList<>(List.of("plugin"));
    DemoSummary.shown().forEach(rpc -> head.add(word(rpc)));
    TextTable table = new TextTable(head.toArray(String[]::new));
    summary
        .rpcs()
        .forEach(
            (plugin, counts) -> {
              List<Object> row = new ArrayList<>(List.of(plugin));
              DemoSummary.shown().forEach(rpc -> row.add(count(counts, rpc)));
              table.row(row.toArray());
            });
    return table;
  }

  private static String count(Map<Rpc, Integer> counts, Rpc rpc) {
    int count = counts.getOrDefault(rpc, 0);
    return count == 0 ? "-" : Integer.toString(count);
  }

  private static String word(Rpc rpc) {
    return switch (rpc) {
      case CONTROLLER_PUBLISH -> "attach";
      case CONTROLLER_UNPUBLISH -> "detach";
      case NODE_STAGE -> "stage";
      case NODE_PUBLISH -> "publish";
      case NODE_UNPUBLISH -> "unpublish";
      case NODE_UNSTAGE -> "unstage";
      default -> rpc.csiName();
    };
  }

  private static String lane(String plugin, DemoSummary.Lane lane) {
    return "%s: %d calls of %s on average, busy %d %% of %s"
        .formatted(
            plugin,
            lane.calls(),
            DurationText.exact(lane.mean()),
            lane.busyPercent(),
            DurationText.exact(lane.span()));
  }

  private static List<String> times(DemoResult.Timing timing, boolean verbose) {
    List<String> lines = new ArrayList<>();
    lines.add(
        INDENT
            + "ready %s and first grant %s after the start of the JVM; the run took %s"
                .formatted(
                    DurationText.exact(timing.untilReady()),
                    timing.untilFirstGrant().map(DurationText::exact).orElse("(never)"),
                    DurationText.exact(timing.run())));
    if (verbose) {
      timing
          .peakMemoryKb()
          .ifPresent(kb -> lines.add(INDENT + "peak memory %d MB resident".formatted(kb / 1024)));
    }
    return lines;
  }

  private static List<String> verdict(DemoSummary summary, Terminal terminal) {
    if (summary.problems().isEmpty()) {
      return List.of(
          terminal.good(
              "All checked against the plugins' own log: one call per lane at a time, every step in"
                  + " order, nothing left attached."));
    }
    List<String> lines = new ArrayList<>();
    int count = summary.problems().size();
    lines.add(terminal.bad("WRONG, in %d %s:".formatted(count, count == 1 ? "way" : "ways")));
    summary.problems().forEach(problem -> lines.add(terminal.bad(INDENT + problem)));
    return lines;
  }
}
