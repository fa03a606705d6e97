package dev.berth.ops.demo;

import dev.berth.driver.calls.Rpc;
import dev.berth.ops.terminal.DurationText;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A summary as text. */
final class SummaryText {

  private static final String INDENT = "  ";
  private static final int MOST_PROBLEMS = 20;

  private SummaryText() {}

  /** The lines for a person. */
  static List<String> lines(
      DemoSummary summary, PlanFacts plan, boolean verbose, Terminal terminal) {
    Section text = new Section(terminal);
    text.head("Replayed").line(replayed(plan));
    claims(summary, text.head("Claims"));
    text.head("Longest waits").table(longestWaits(summary.waits()));
    text.head("Calls to the plugins").table(rpcTable(summary));
    notOk(summary, text);
    text.head("Lanes (one attach or detach at a time each)");
    summary.lanes().forEach((plugin, lane) -> text.line(lane(plugin, lane)));
    if (summary.killsAsked() > 0) {
      text.head("Lives (killed with SIGKILL, started again on the same data)");
      text.line("%d kills asked, %d done".formatted(summary.killsAsked(), summary.killsDone()));
      text.table(LivesText.table(summary.lives()));
    }
    text.head("Time");
    times(summary.timing(), verbose, text);
    verdict(summary, text);
    return text.lines;
  }

  /** Lines under heads. */
  private static final class Section {
    private final Terminal terminal;
    private final List<String> lines = new ArrayList<>();

    private Section(Terminal terminal) {
      this.terminal = terminal;
    }

    Section head(String text) {
      lines.add(terminal.bold(text));
      return this;
    }

    Section line(String text) {
      lines.add(INDENT + text);
      return this;
    }

    Section table(TextTable table) {
      table.lines().forEach(this::line);
      return this;
    }
  }

  private static String replayed(PlanFacts plan) {
    String nothing =
        plan.neverScheduled() + plan.unplaced() == 0
            ? ""
            : "; %d pods were never scheduled and %d fit nowhere: they claim nothing"
                .formatted(plan.neverScheduled(), plan.unplaced());
    return "%s: %d allocs with %d claims on %d volumes and %d nodes%s"
        .formatted(
            plan.trace(), plan.allocs(), plan.claims(), plan.volumes(), plan.nodes(), nothing);
  }

  private static void claims(DemoSummary summary, Section text) {
    text.line(
        "%d made, %d granted, %d of all had to wait, %d released"
            .formatted(
                summary.claims(), summary.granted(), summary.waits().waited(), summary.released()));
    summary
        .rejected()
        .forEach((reason, count) -> text.line("%d rejected: %s".formatted(count, reason)));
    text.line(
        String.format(
            Locale.ROOT,
            "%.1f claims and %.1f events of allocs a second, over %s",
            summary.claimsPerSecond(),
            summary.eventsPerSecond(),
            DurationText.exact(summary.span())));
    Waits waits = summary.waits();
    text.line(
        "from claim to grant: p50 %s, p99 %s, longest %s"
            .formatted(
                DurationText.exact(waits.half()),
                DurationText.exact(waits.ninetyNine()),
                DurationText.exact(waits.most())));
  }

  private static TextTable longestWaits(Waits waits) {
    TextTable table = new TextTable("waited", "alloc", "volume", "because");
    for (ClaimStory story : waits.longest()) {
      table.row(
          DurationText.exact(Waits.length(story)),
          story.claim().alloc(),
          story.claim().volume(),
          Waits.reason(story));
    }
    return table;
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

  private static void notOk(DemoSummary summary, Section text) {
    summary
        .notOk()
        .forEach(
            (rpc, codes) ->
                text.line(
                    "not OK: %s %s"
                        .formatted(
                            word(rpc),
                            codes.entrySet().stream()
                                .map(code -> code.getKey() + " " + code.getValue())
                                .collect(Collectors.joining(", ")))));
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

  private static String lane(String plugin, Lane lane) {
    return "%s: %d calls of %s on average, busy %d %% of %s"
        .formatted(
            plugin,
            lane.calls(),
            DurationText.exact(lane.mean()),
            lane.busyPercent(),
            DurationText.exact(lane.span()));
  }

  private static void times(DemoResult.Timing timing, boolean verbose, Section text) {
    text.line(
        "ready %s and first grant %s after the start of the JVM; the run took %s"
            .formatted(
                DurationText.exact(timing.untilReady()),
                timing.untilFirstGrant().map(DurationText::exact).orElse("(never)"),
                DurationText.exact(timing.run())));
    if (verbose) {
      timing
          .peakMemoryKb()
          .ifPresent(kb -> text.line("peak memory %d MB resident".formatted(kb / 1024)));
    }
  }

  private static void verdict(DemoSummary summary, Section text) {
    Terminal terminal = text.terminal;
    if (summary.problems().isEmpty()) {
      text.lines.add(
          terminal.good(
              "All checked against the plugins' own log: one call per lane at a time, every step in"
                  + " order, nothing left attached."));
      return;
    }
    int count = summary.problems().size();
    text.lines.add(terminal.bad("WRONG, in %d %s:".formatted(count, count == 1 ? "way" : "ways")));
    DemoCheck.shortened(summary.problems(), MOST_PROBLEMS)
        .forEach(problem -> text.lines.add(terminal.bad(INDENT + problem)));
  }
}
