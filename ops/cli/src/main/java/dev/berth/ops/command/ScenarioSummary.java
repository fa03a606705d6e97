package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.scenario.Failure;
import dev.berth.ops.scenario.JunitXml;
import dev.berth.ops.scenario.Problem;
import dev.berth.ops.scenario.ScenarioReport;
import dev.berth.ops.scenario.ScenarioReport.Verdict;
import dev.berth.ops.scenario.TraceLine;
import dev.berth.ops.terminal.DurationText;
import dev.berth.ops.terminal.Terminal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of many scenarios.
 *
 * @param reports what became of each
 * @param took real time that all took together
 */
record ScenarioSummary(List<ScenarioReport> reports, Duration took) {

  /** Scenarios of a verdict. */
  long count(Verdict verdict) {
    return reports.stream().filter(report -> report.verdict() == verdict).count();
  }

  // ---- for people

  /** The lines to print. */
  List<String> text(Terminal terminal) {
    List<String> lines = new ArrayList<>();
    for (ScenarioReport report : reports) {
      lines.add(head(report, terminal));
      report.problems().forEach(problem -> lines.add("    " + problem));
      report.notLive().forEach(reason -> lines.add("    cannot run live: " + reason));
      List<TraceLine> shown = List.of();
      for (Failure failure : report.failures()) {
        lines.addAll(text(failure, shown, terminal));
        shown = failure.trace();
      }
      // What led to a failure is shown with it.
      if (report.verdict() == Verdict.PASSED) {
        report.trace().forEach(line -> lines.add("    " + line));
      }
    }
    if (reports.size() > 1) {
      lines.add("");
    }
    lines.add(conclusion(terminal));
    return lines;
  }

  private static String head(ScenarioReport report, Terminal terminal) {
    String verdict =
        switch (report.verdict()) {
          case PASSED -> terminal.good("passed");
          case FAILED -> terminal.bad("FAILED");
          case ERROR -> terminal.bad("ERROR ");
          case NOT_LIVE -> "cannot";
        };
    return "%s  %s  %s  (%s)"
        .formatted(
            verdict,
            terminal.bold(report.id()),
            report.title().isEmpty() ? report.file() : report.title(),
            DurationText.exact(report.took()));
  }

  /**
   * A failure.
   *
   * @param shown the trace that was shown before it
   */
  private static List<String> text(Failure failure, List<TraceLine> shown, Terminal terminal) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "    " + terminal.bold(failure.file() + ":" + failure.line()) + ": " + failure.what());
    lines.add("        expected " + failure.expected());
    lines.add("        actual   " + terminal.bad(failure.actual()));
    if (!shown.isEmpty() && failure.trace().equals(shown)) {
      lines.add("        what led there: as above");
    } else if (!failure.trace().isEmpty()) {
      lines.add("        what led there:");
      failure.trace().forEach(line -> lines.add("          " + line));
    }
    return lines;
  }

  private String conclusion(Terminal terminal) {
    long failed = count(Verdict.FAILED);
    long errors = count(Verdict.ERROR);
    long notLive = count(Verdict.NOT_LIVE);
    String text =
        "%d %s: %d passed, %d failed%s%s, in %s"
            .formatted(
                reports.size(),
                reports.size() == 1 ? "scenario" : "scenarios",
                count(Verdict.PASSED),
                failed,
                errors == 0 ? "" : ", %d not understood".formatted(errors),
                notLive == 0 ? "" : ", %d cannot run live".formatted(notLive),
                DurationText.exact(took));
    return failed + errors == 0 ? terminal.good(text) : terminal.bad(text);
  }

  // ---- for programs

  /** The document to print. */
  ObjectNode json() {
    ObjectNode json = JsonOutput.mapper().createObjectNode();
    json.put("total", reports.size());
    json.put("passed", count(Verdict.PASSED));
    json.put("failed", count(Verdict.FAILED));
    json.put("errors", count(Verdict.ERROR));
    json.put("cannotRunLive", count(Verdict.NOT_LIVE));
    json.put("seconds", seconds(took));
    ArrayNode scenarios = json.putArray("scenarios");
    reports.forEach(report -> scenario(scenarios.addObject(), report));
    return json;
  }

  private static void scenario(ObjectNode json, ScenarioReport report) {
    json.put("id", report.id());
    json.put("title", report.title());
    json.put("file", report.file());
    json.put("verdict", report.verdict().name().toLowerCase(java.util.Locale.ROOT));
    json.put("passed", report.verdict() == Verdict.PASSED);
    json.put("seconds", seconds(report.took()));
    problems(json.putArray("problems"), report.problems());
    problems(json.putArray("cannotRunLive"), report.notLive());
    ArrayNode failures = json.putArray("failures");
    for (Failure failure : report.failures()) {
      ObjectNode one = failures.addObject();
      one.put("file", failure.file());
      one.put("line", failure.line());
      one.put("what", failure.what());
      one.put("expected", failure.expected());
      one.put("actual", failure.actual());
      trace(one.putArray("trace"), failure.trace());
    }
    if (!report.trace().isEmpty()) {
      trace(json.putArray("trace"), report.trace());
    }
  }

  private static void problems(ArrayNode json, List<Problem> problems) {
    for (Problem problem : problems) {
      json.addObject()
          .put("file", problem.file())
          .put("line", problem.line())
          .put("text", problem.text());
    }
  }

  private static void trace(ArrayNode json, List<TraceLine> trace) {
    for (TraceLine line : trace) {
      ObjectNode one = json.addObject();
      one.put("at", line.time());
      one.put("kind", line.kind().word());
      if (!line.topic().isEmpty()) {
        one.put("topic", line.topic());
        one.put("key", line.key());
      }
      one.put("text", line.text());
    }
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  /** What a build server shows. */
  String junit() {
    return JunitXml.of(reports, took);
  }
}
