package dev.berth.ops.command;

import dev.berth.driver.script.Latency;
import dev.berth.ops.demo.Demo;
import dev.berth.ops.demo.DemoReport;
import dev.berth.ops.lives.KillSchedule;
import dev.berth.ops.logging.LogFile;
import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackConfig;
import dev.berth.ops.stack.TemporaryData;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.trace.Pace;
import dev.berth.producers.trace.TracePlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth demo}. */
@Command(
    name = "demo",
    description = {
      "Runs the whole stack, with a load, and checks it.",
      "Starts everything in this process, replays a cluster trace as allocs that",
      "claim volumes, run and end, and checks itself against what the plugins saw.",
      "Needs nothing and leaves nothing behind. Exits 1, with the evidence, when",
      "anything was wrong, and 130 after Ctrl-C."
    },
    footer = {
      "",
      "Examples:",
      "  berth demo",
      "  berth demo --kill 3 --seed 7",
      "  berth demo --trace pods.csv --nodes nodes.csv --speed 100000 -o json"
    })
final class DemoCommand implements Callable<Integer> {

  private static final Duration TO_CLOSE = Duration.ofSeconds(60);
  private static final Latency OF_NODE_CALLS = Latency.fixed(Duration.ofMillis(5));

  @Mixin private TraceOptions trace = new TraceOptions();

  @Option(
      names = "--speed",
      paramLabel = "FACTOR",
      defaultValue = "max",
      description = {
        "Seconds of the trace per second; max keeps only the order of the events",
        "(default: ${DEFAULT-VALUE})."
      })
  private Pace speed = Pace.max();

  @Option(
      names = "--latency",
      paramLabel = "LATENCY",
      defaultValue = "10ms",
      description = {
        "Time of an attach or detach (default: ${DEFAULT-VALUE}): none, 200ms,",
        "uniform:MIN:MAX or log-normal:MEDIAN:SIGMA."
      })
  private Latency latency = Latency.none();

  @Option(
      names = "--kill",
      paramLabel = "COUNT",
      description =
          "Kills the process with everything in it so many times, at random moments of the replay"
              + " and of the starts, and starts it again on the same data. Fewer kills than asked"
              + " for count as wrong. 1 to "
              + KillSchedule.MOST
              + ".")
  private @Nullable Integer kills;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "The same seed gives the same moments to --kill (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--keep", description = "Keeps the data directory and prints where it is.")
  private boolean keep;

  /** For the processes that {@code --kill} starts and ends. */
  @Option(names = DemoLives.LIFE_IN, paramLabel = "DIR", hidden = true)
  private @Nullable Path lifeIn;

  @Mixin private final OutputOption output = new OutputOption();

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
    // Everything is read and checked before anything begins, also what only the lives need.
    TracePlan plan = parsed("", trace::plan);
    Optional<KillSchedule> schedule =
        Optional.ofNullable(kills)
            .map(count -> parsed("--kill: ", () -> KillSchedule.of(count, seed)));
    try (StopSignal stop = new StopSignal(TO_CLOSE)) {
      if (lifeIn != null) {
        DemoLives.holdToWatcher();
        return replay(plan, lifeStack(lifeIn), stop);
      }
      return run(
          data ->
              schedule.isPresent()
                  ? DemoLives.run(spec, schedule.get(), data, terminal)
                  : replay(plan, stack(data), stop),
          stop);
    } finally {
      LogFile.silence();
    }
  }

  /** What is done on a data directory; gives the exit code. */
  private interface Work {
    int on(Path data) throws InterruptedException;
  }

  private int run(Work work, StopSignal stop) throws InterruptedException {
    TemporaryData data = TemporaryData.create("berth-demo-", keep);
    try (data) {
      int code = work.on(data.path());
      if (!stop.asked()) {
        if (keep) {
          terminal.err().println("Data, log and the plugins' call log are in " + data.path());
        }
        return code;
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

  private int replay(TracePlan plan, StackConfig stack, StopSignal stop)
      throws InterruptedException {
    LogFile.open(stack.data().resolve("berth.log"), verbose);
    DemoReport report;
    try (Progress progress = progress()) {
      Demo demo = new Demo(plan, speed, stack, killsAsked(), Clock.systemUTC(), whenReady);
      report = DemoReport.of(demo.run(progress));
    }
    if (!stop.asked()) {
      print(report);
    }
    return report.isGood() ? ExitCode.OK : ExitCode.FAILED;
  }

  private int killsAsked() {
    return kills == null ? 0 : kills;
  }

  private Progress progress() {
    return lifeIn == null ? new Progress(terminal, System::nanoTime) : DemoLives.progress(terminal);
  }

  private void print(DemoReport report) {
    output.print(
        terminal,
        () -> report.json(JsonOutput.mapper()),
        () -> report.text(verbose || output.wide(), terminal));
  }

  private StackConfig stack(Path data) {
    return StackConfig.in(data).withLatencies(latency, OF_NODE_CALLS);
  }

  /** A call that a kill has cut keeps its lane until its time has passed: not two minutes here. */
  private StackConfig lifeStack(Path data) {
    StackConfig stack = stack(data);
    return stack.withPlugins(
        stack.plugins().stream()
            .map(plugin -> plugin.withPolicy("rpc-timeout", "5s"))
            .map(plugin -> plugin.withPolicy("settle-margin", "1s"))
            .toList());
  }

  private <T> T parsed(String option, Callable<T> reading) {
    try {
      return reading.call();
    } catch (Exception e) {
      throw new ParameterException(spec.commandLine(), option + e.getMessage(), e);
    }
  }
}
