package dev.berth.bench.command;

import dev.berth.bench.Bench;
import dev.berth.bench.machine.Environment;
import dev.berth.bench.report.Report;
import dev.berth.bench.report.ReportFiles;
import dev.berth.bench.report.ReportJson;
import dev.berth.bench.report.ReportText;
import dev.berth.bench.report.Section;
import dev.berth.ops.command.ExitCode;
import dev.berth.ops.command.JsonOutput;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Runs benches and prints what they found. */
final class BenchRun {
  private final Terminal terminal;
  private final Clock clock;

  BenchRun(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  /**
   * Runs them one after the other.
   *
   * @return the exit code
   * @throws Exception when one cannot be measured or its report cannot be written
   */
  int run(List<Bench> benches, RunOptions options) throws Exception {
    Path out = options.out();
    Report report =
        new Report(Environment.here(clock.instant()), options.quick(), sections(benches, options));
    if (out != null) {
      ReportFiles.write(report, out);
    }
    if (options.json()) {
      terminal.out().println(JsonOutput.text(ReportJson.of(report, JsonOutput.mapper())));
    } else {
      ReportText.of(report, terminal).forEach(terminal.out()::println);
      if (out != null) {
        terminal.out().println("Written to " + out.resolve("REPORT.md"));
      }
    }
    return options.goals() && !report.goalsMet() ? ExitCode.FAILED : ExitCode.OK;
  }

  private List<Section> sections(List<Bench> benches, RunOptions options) throws Exception {
    List<Section> sections = new ArrayList<>();
    for (Bench bench : benches) {
      try (Progress progress = new Progress(terminal, System::nanoTime)) {
        progress.step(bench.name());
        int[] announced = {0};
        sections.add(
            bench.run(
                options.quick(),
                (done, total, what) -> {
                  if (announced[0] != total) {
                    announced[0] = total;
                    progress.step(bench.name(), total);
                  }
                  progress.at(done, bench.name() + ": " + what);
                }));
      }
    }
    return sections;
  }
}
