package dev.berth.ops.command;

import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Rule;
import dev.berth.driver.script.RuleText;
import dev.berth.driver.script.Script;
import dev.berth.ops.logging.LogFile;
import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackConfig;
import dev.berth.ops.terminal.DurationText;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import dev.berth.streams.query.ApiConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth dev}. */
@Command(
    name = "dev",
    description = {
      "Runs the whole stack until Ctrl-C.",
      "Starts in this process: broker, schema registry, Streams application, worker,",
      "and three simulated plugins on ten nodes. Topics, schemas, stores and what the",
      "plugins have attached stay in the data directory; the next start on it goes on",
      "from there. Exits 0 after Ctrl-C, 130 if it was not up yet, 1 when something",
      "failed."
    },
    footer = {
      "",
      "Examples:",
      "  berth dev",
      "  berth dev --data /tmp/berth --latency 2s",
      "  berth dev --rule \"rpc=ControllerUnpublishVolume do=fail code=PERMISSION_DENIED\""
    })
final class DevCommand implements Callable<Integer> {

  private static final Duration TO_CLOSE = Duration.ofSeconds(60);
  private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = ".berth",
      description = "Where data, sockets and log are kept (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of(".berth");

  @Option(
      names = "--latency",
      paramLabel = "LATENCY",
      defaultValue = "100ms",
      description = {
        "Time of an attach or detach (default: ${DEFAULT-VALUE}): none, 200ms,",
        "uniform:MIN:MAX or log-normal:MEDIAN:SIGMA."
      })
  private Latency latency = Latency.none();

  @Option(
      names = "--rule",
      paramLabel = "RULE",
      description = {
        "What the plugins do besides, such as \"rpc=ControllerUnpublishVolume calls=1-2",
        "do=fail code=PERMISSION_DENIED message=no\"; may be repeated."
      })
  private List<String> rules = new ArrayList<>();

  @Option(
      names = "--listing-interval",
      paramLabel = "DURATION",
      defaultValue = "20s",
      description = {
        "Mean time between two looks at what plugins list as attached, by which Berth",
        "finds what should be gone (default: ${DEFAULT-VALUE})."
      })
  private String listingInterval = "20s";

  @Option(
      names = "--api-port",
      paramLabel = "PORT",
      description = "Port of the query API (default: 7070 if it is free, else any).")
  private @Nullable Integer apiPort;

  @Option(
      names = {"-v", "--verbose"},
      description = "Says more in the log.")
  private boolean verbose;

  @Spec private CommandSpec spec;
  private final Terminal terminal;

  DevCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    StackConfig config =
        StackConfig.in(data)
            .withControllerLatency(latency)
            .withScript(script())
            .withListingInterval(listingInterval())
            .withApiPort(apiPort == null ? usualPort() : apiPort);
    try (StopSignal stop = new StopSignal(TO_CLOSE)) {
      return run(config, stop);
    } finally {
      LogFile.silence();
    }
  }

  private Script script() {
    try {
      return Script.of(rules.stream().map(RuleText::parse).toArray(Rule[]::new));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--rule: " + e.getMessage(), e);
    }
  }

  private Duration listingInterval() {
    return dev.berth.streams.policy.DurationText.parse(listingInterval)
        .filter(interval -> interval.compareTo(SHORTEST_INTERVAL) >= 0)
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "--listing-interval: '%s' is no duration of 1s or more: write 20s or 10m"
                        .formatted(listingInterval)));
  }

  /** Where commands look for it, unless another has that port. */
  private static int usualPort() {
    try (ServerSocket probe =
        new ServerSocket(ApiConfig.DEFAULT_PORT, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    } catch (IOException e) {
      return 0;
    }
  }

  private int run(StackConfig config, StopSignal stop) throws InterruptedException {
    long began = System.nanoTime();
    int code;
    try (EmbeddedStack stack = start(config)) {
      String took = DurationText.exact(Duration.ofNanos(System.nanoTime() - began));
      terminal.out().println(terminal.bold("Berth is up") + " after " + took + ".");
      new DevGuide(stack).lines().forEach(terminal.out()::println);
      code = watch(stack);
    } catch (InterruptedException | RuntimeException e) {
      if (!stop.asked()) {
        throw e;
      }
      terminal.err().println("Stopped before it was up.");
      return ExitCode.INTERRUPTED;
    }
    terminal.err().println("Stopped.");
    stop.exitWith(code);
    return code;
  }

  private EmbeddedStack start(StackConfig config) throws InterruptedException {
    try (Progress progress = new Progress(terminal, System::nanoTime)) {
      return EmbeddedStack.start(
          config, Clock.systemUTC(), progress::step, () -> openLog(config.data()));
    }
  }

  /** Not before the directory is ours: the log in it is that of the stack that has it. */
  private void openLog(Path directory) {
    LogFile.open(directory.resolve("berth.log"), verbose);
  }

  /** Until somebody asks for the end, or the stack is no more. */
  private int watch(EmbeddedStack stack) {
    try {
      while (stack.isRunning()) {
        TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
      }
      terminal
          .err()
          .println(
              terminal.bad(
                  "berth: the Streams application has ended; the reason is in "
                      + stack.data().resolve("berth.log")));
      return ExitCode.FAILED;
    } catch (InterruptedException e) {
      terminal.err().println("Stopping, the data stays in " + stack.data() + " ...");
      return ExitCode.OK;
    }
  }
}
