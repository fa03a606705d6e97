package dev.berth.ops.command;

import dev.berth.ops.live.LiveStack;
import dev.berth.ops.logging.LogFile;
import dev.berth.ops.scenario.LiveRuns;
import dev.berth.ops.scenario.ScenarioFile;
import dev.berth.ops.scenario.ScenarioFiles;
import dev.berth.ops.scenario.ScenarioReport;
import dev.berth.ops.scenario.ScenarioReport.Verdict;
import dev.berth.ops.scenario.ScenarioRuns;
import dev.berth.ops.stack.TemporaryData;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code berth scenario run}. */
@Command(
    name = "run",
    description = {
      "Runs scenario files against the real topology, in virtual time.",
      "Needs no broker and no plugin: the clock, the broker and the plugins are",
      "simulated, everything that decides is the product's own. Says of each scenario",
      "whether it passed; of each expectation that was not met file and line, what was",
      "expected, what was there, and what led there. How to write one: FORMAT.md of",
      "ops/scenarios.",
      "Exits 0 when all passed, 1 when any failed, and 2 when none did but a file could",
      "not be understood. With --live, files that cannot run so are told and do not count,",
      "but when that is all of them it exits 1."
    },
    footer = {
      "",
      "Examples:",
      "  berth scenario run",
      "  berth scenario run --only 'S3*' --only K10 -v",
      "  berth scenario run incident.yaml scenarios/ -o json --junit target/berth.xml",
      "  berth scenario run --live --only S08 --only K01"
    })
final class ScenarioRunCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "FILE|DIR",
      description = {
        "Scenario files, and folders with *.yaml (default: the scenarios that",
        "come with the product)."
      })
  private List<Path> paths = new ArrayList<>();

  @Option(
      names = "--only",
      paramLabel = "PATTERN",
      description = {"Only files whose name begins so; * stands for any text. May be", "repeated."})
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--live",
      description = {
        "Runs them on a real broker, registry, Streams application, worker and",
        "simulated drivers in this process, in real time or at a scaled pace. Which files",
        "can run so, and why others cannot: LIVE.md of ops/scenarios."
      })
  private boolean live;

  @Option(
      names = {"-v", "--verbose"},
      description = "Shows what happened also in scenarios that passed.")
  private boolean verbose;

  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Writes what a build server shows, too: JUnit's XML.")
  private @Nullable Path junit;

  @Spec private CommandSpec spec;
  private final Terminal terminal;

  ScenarioRunCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<ScenarioFile> files = selected();
    prepareReport();
    long began = System.nanoTime();
    List<ScenarioReport> reports;
    try (Progress progress = new Progress(terminal, System::nanoTime)) {
      progress.step(files.size() == 1 ? "scenario" : "scenarios", files.size());
      reports = live ? live(files, progress) : virtual(files, progress);
    }
    ScenarioSummary summary =
        new ScenarioSummary(reports, Duration.ofNanos(System.nanoTime() - began));
    if (junit != null) {
      Files.writeString(junit, summary.junit());
    }
    output.print(terminal, summary::json, () -> summary.text(terminal));
    return exitCode(summary);
  }

  private List<ScenarioReport> virtual(List<ScenarioFile> files, Progress progress)
      throws InterruptedException {
    return new ScenarioRuns(Runtime.getRuntime().availableProcessors(), verbose, System::nanoTime)
        .run(files, progress::at);
  }

  private List<ScenarioReport> live(List<ScenarioFile> files, Progress progress)
      throws InterruptedException {
    Clock clock = Clock.systemUTC();
    try (TemporaryData data = TemporaryData.create("berth-live-", false);
        LiveStack stack = new LiveStack(data.path(), clock)) {
      LogFile.open(data.path().resolve("berth.log"), false);
      try {
        return new LiveRuns(stack, verbose, clock, System::nanoTime).run(files, progress::at);
      } finally {
        LogFile.silence();
      }
    }
  }

  /** Files of which none could run live have shown nothing. */
  private static int exitCode(ScenarioSummary summary) {
    if (summary.count(Verdict.FAILED) > 0) {
      return ExitCode.FAILED;
    }
    if (summary.count(Verdict.ERROR) > 0) {
      return ExitCode.USAGE;
    }
    return summary.count(Verdict.PASSED) > 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Before the run: who has waited for it wants its report. */
  private void prepareReport() throws IOException {
    if (junit == null) {
      return;
    }
    if (Files.isDirectory(junit)) {
      throw usage("--junit: " + junit + " is a folder: name a file");
    }
    Path folder = junit.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
  }

  private List<ScenarioFile> selected() throws IOException {
    List<ScenarioFile> files = paths.isEmpty() ? ScenarioFiles.shipped() : given();
    if (only.isEmpty()) {
      return files;
    }
    List<Pattern> patterns = only.stream().map(ScenarioRunCommand::pattern).toList();
    List<ScenarioFile> selected =
        files.stream()
            .filter(
                file -> patterns.stream().anyMatch(wanted -> wanted.matcher(file.stem()).matches()))
            .toList();
    if (selected.isEmpty()) {
      throw usage("--only: no name of %d files begins so".formatted(files.size()));
    }
    return selected;
  }

  /** A file that is named twice, also in a folder, runs once. */
  private List<ScenarioFile> given() throws IOException {
    Map<Path, ScenarioFile> files = new LinkedHashMap<>();
    for (Path path : paths) {
      List<ScenarioFile> found;
      try {
        found = ScenarioFiles.at(path);
      } catch (NoSuchFileException e) {
        throw usage(path + ": there is no such file or folder");
      }
      if (found.isEmpty()) {
        throw usage(path + ": the folder holds no scenario: they are files named *.yaml");
      }
      for (ScenarioFile file : found) {
        files.putIfAbsent(file.path().toRealPath(), file);
      }
    }
    return List.copyOf(files.values());
  }

  private static Pattern pattern(String only) {
    StringBuilder pattern = new StringBuilder("(?s)");
    for (String part : only.split("\\*", -1)) {
      pattern.append(Pattern.quote(part)).append(".*");
    }
    return Pattern.compile(pattern.toString());
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
