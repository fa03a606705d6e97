package dev.berth.ops.command;

import dev.berth.driver.script.Latency;
import dev.berth.ops.demo.Demo;
import dev.berth.ops.demo.DemoReport;
import dev.berth.ops.demo.DemoResult;
import dev.berth.ops.demo.DemoScript;
import dev.berth.ops.demo.DemoSize;
import dev.berth.ops.logging.LogFile;
import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackConfig;
import dev.berth.ops.stack.TemporaryData;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth demo}. */
@Command(
    name = "demo",
    description = {
      "Runs the whole stack, with a load, and checks it.",
      "Starts everything in this process, runs allocs through claim, run and end, and checks",
      "itself against what the plugins saw. Needs nothing and leaves nothing behind.",
      "Exits 1, with the evidence, when anything was wrong, and 130 after Ctrl-C."
    },
    footer = {
      "",
      "Examples:",
      "  berth demo",
      "  berth demo --allocs 500 --latency log-normal:200ms:0.5 --seed 7 -o json"
    })
final class DemoCommand implements Callable<Integer> {

  private static final Duration TO_CLOSE = Duration.ofSeconds(60);

  @Option(
      names = "--allocs",
      paramLabel = "COUNT",
      defaultValue = "200",
      description = "Allocs to run, 1 to " + DemoSize.MOST_ALLOCS + " (default: ${DEFAULT-VALUE}).")
  private int allocs;

  @Option(
      names = "--volumes",
      paramLabel = "COUNT",
      defaultValue = "50",
      description =
          "Volumes to register, 1 to " + DemoSize.MOST_VOLUMES + " (default: ${DEFAULT-VALUE}).")
  private int volumes;

  @Option(
      names = "--nodes",
      paramLabel = "COUNT",
      defaultValue = "10",
      description = "Nodes, 1 to " + DemoSize.MOST_NODES + " (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "The same seed gives the same script (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--latency",
      paramLabel = "LATENCY",
      defaultValue = "100ms",
      description = {
        "Time of an attach or detach (default: ${DEFAULT-VALUE}): none, 200ms,",
        "uniform:MIN:MAX or log-normal:MEDIAN:SIGMA."
      })
  private Latency latency = Latency.none();

  @Option(names = "--keep", description = "Keeps the data directory and prints where it is.")
  private boolean keep;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json (default: text).")
  private OutputFormat output = OutputFormat.TEXT;

  @Option(
      names = {"-v", "--verbose"},
      description = "Says more, also in the log.")
  private boolean verbose;

  @Spec private CommandSpec spec;
  private final Terminal terminal;
  private final Consumer<EmbeddedStack> whenReady;

  DemoCommand(Terminal terminal) {
    this(terminal, stack -> {});
  }

  /** With something to be done to the stack before the first claim. */
  DemoCommand(Terminal terminal, Consumer<EmbeddedStack> whenReady) {
    this.terminal = terminal;
    this.whenReady = whenReady;
  }

  @Override
  public Integer call() throws InterruptedException {
    DemoScript script = DemoScript.of(parsed(() -> new DemoSize(allocs, volumes, nodes, seed)));
    try (StopSignal stop = new StopSignal(TO_CLOSE)) {
      return run(script, stop);
    } finally {
      LogFile.silence();
    }
  }

  private int run(DemoScript script, StopSignal stop) throws InterruptedException {
    TemporaryData data = TemporaryData.create("berth-demo-", keep);
    try (data) {
      LogFile.open(data.path().resolve("berth.log"), verbose);
      StackConfig stack = StackConfig.in(data.path()).withControllerLatency(latency);
      DemoReport report = run(script, stack);
      if (!stop.asked()) {
        print(report, data.path());
        return report.isGood() ? ExitCode.OK : ExitCode.FAILED;
      }
    } catch (InterruptedException | RuntimeException e) {
      if (!stop.asked()) {
        throw e;
      }
    }
    // Looked at, not assumed: the directory is also there when it could not be deleted.
    terminal
        .err()
        .println(
            Files.exists(data.path())
                ? "Interrupted. Everything is stopped; the data is in " + data.path()
                : "Interrupted. Everything is stopped, and nothing is left behind.");
    return ExitCode.INTERRUPTED;
  }

  private void print(DemoReport report, Path directory) {
    if (output == OutputFormat.JSON) {
      terminal.out().println(JsonOutput.text(report.json(JsonOutput.mapper())));
    } else {
      report.text(verbose, terminal).forEach(terminal.out()::println);
    }
    if (keep) {
      terminal.err().println("Data, log and the plugins' call log are in " + directory);
    }
  }

  private DemoReport run(DemoScript script, StackConfig stack) throws InterruptedException {
    try (Progress progress = new Progress(terminal, System::nanoTime)) {
      Demo demo = new Demo(script, stack, Clock.systemUTC(), whenReady);
      DemoResult result = demo.run(progress);
      return DemoReport.of(result);
    }
  }

  private <T> T parsed(Callable<T> reading) {
    try {
      return reading.call();
    } catch (Exception e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
