package dev.berth.ops.command;

import dev.berth.ops.config.PartVariables;
import dev.berth.ops.logging.LogFile;
import dev.berth.ops.logging.LogFormat;
import dev.berth.ops.terminal.Terminal;
import dev.berth.streams.app.AppConfig;
import dev.berth.streams.app.AppState;
import dev.berth.streams.app.BerthApp;
import dev.berth.streams.app.SettingSources;
import dev.berth.streams.app.StartupRefusedException;
import dev.berth.streams.topology.BerthTopology;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth streams}. */
@Command(
    name = "streams",
    description = {
      "Runs the Streams application, which decides, until SIGTERM or Ctrl-C.",
      "Instances with the same application.id share the work. Topics and schemas must",
      "be there; it waits for brokers and registry that are away. The keys of its file:",
      "bootstrap.servers, schema.registry.url (both required), topic.prefix,",
      "application.id, state.dir, replication.factor, standby.replicas, threads,",
      "group.protocol, health.port, log.format, policy.<name>.<key>,",
      "kafka.<client setting>.",
      "Exits 0 when it was asked to end, 1 when it failed, 2 when it cannot be started",
      "as configured or not on this cluster."
    },
    footer = {
      "",
      "Examples:",
      "  berth streams --config streams.properties",
      "  BERTH_STATE_DIR=/data berth streams --config streams.properties"
    })
final class StreamsCommand implements Callable<Integer> {

  private static final Duration TO_CLOSE = Duration.ofSeconds(60);

  @Mixin private ProcessOptions options = new ProcessOptions();

  private final Terminal terminal;

  StreamsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Map<String, String> settings = options.checked(this::settings);
    LogFormat format = options.checked(() -> LogFormat.of(settings));
    AppConfig config = options.checked(() -> AppConfig.parse(settings));
    LogFile.toTerminal(options.verbose(), format);
    try (StopSignal stop = new StopSignal(TO_CLOSE)) {
      return run(config, stop);
    } finally {
      LogFile.silence();
    }
  }

  private Map<String, String> settings() {
    List<String> arguments = new ArrayList<>();
    options.file().ifPresent(file -> arguments.add("--config=" + file));
    options.flags().forEach((key, value) -> arguments.add("--" + key + "=" + value));
    return SettingSources.read(arguments, PartVariables.ofStreams(System.getenv()));
  }

  private int run(AppConfig config, StopSignal stop) {
    int code = ExitCode.OK;
    try (BerthApp app = new BerthApp(config, BerthTopology::build)) {
      app.start();
      AppState end = app.awaitEnd();
      if (end.phase() == AppState.Phase.FAILED) {
        terminal.err().println(terminal.bad("berth streams: " + end.text()));
        code = ExitCode.FAILED;
      }
    } catch (StartupRefusedException | UncheckedIOException e) {
      terminal.err().println(terminal.bad("berth streams: " + e.getMessage()));
      code = ExitCode.USAGE;
    } catch (InterruptedException e) {
      terminal.err().println("Stopped.");
    } catch (RuntimeException e) {
      if (!stop.asked()) {
        throw e;
      }
      terminal.err().println("Stopped before it was up.");
    }
    stop.exitWith(code);
    return code;
  }
}
