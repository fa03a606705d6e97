package dev.berth.ops.command;

import dev.berth.ops.config.PartVariables;
import dev.berth.ops.logging.LogFile;
import dev.berth.ops.logging.LogFormat;
import dev.berth.ops.terminal.Terminal;
import dev.berth.workers.Worker;
import dev.berth.workers.config.SettingSources;
import dev.berth.workers.config.WorkerConfig;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth worker}. */
@Command(
    name = "worker",
    description = {
      "Runs a worker, which calls plugins, until SIGTERM or Ctrl-C.",
      "One file may describe the plugins of a whole cluster; the role says which of",
      "them this process serves. The keys of its file: worker.id, bootstrap.servers,",
      "schema.registry.url, plugins.<name>.endpoint, .role and .node (all required),",
      "plugins.<name>.plugin, .route, .tls…, topic.prefix, open.calls.max, mount.root,",
      "discovery.interval.ms, listing.interval.ms, drain.timeout.ms, health.port,",
      "log.format, config.providers…, kafka.<client setting>.",
      "At the end it takes no more calls, waits for the open ones, and exits 0;",
      "2 when it cannot be started as configured."
    },
    footer = {
      "",
      "Examples:",
      "  berth worker --config worker.properties",
      "  berth worker controller --config cluster.properties --set worker.id=w1",
      "  berth worker controller --plugin ebs --config cluster.properties",
      "  berth worker node --node n17 --config cluster.properties"
    })
final class WorkerCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ROLE",
      description = "controller or node (default: all that the file describes).")
  private @Nullable String role;

  @Option(
      names = "--plugin",
      paramLabel = "ID",
      description = "With controller: the one plugin whose controllers it serves.")
  private @Nullable String plugin;

  @Option(
      names = "--node",
      paramLabel = "ID",
      description = "With node: the node whose plugins it serves.")
  private @Nullable String node;

  @Mixin private ProcessOptions options = new ProcessOptions();

  private final Terminal terminal;

  WorkerCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Map<String, String> settings =
        options.checked(
            () ->
                SettingSources.read(
                    options.file(), PartVariables.ofWorker(System.getenv()), flags()));
    LogFormat format = options.checked(() -> LogFormat.of(settings));
    WorkerConfig config = options.checked(() -> WorkerConfig.parse(settings));
    LogFile.toTerminal(options.verbose(), format);
    try (StopSignal stop = new StopSignal(config.drainTimeout().plus(Duration.ofSeconds(60)))) {
      return run(config, stop);
    } finally {
      LogFile.silence();
    }
  }

  private Map<String, String> flags() {
    Map<String, String> flags = new HashMap<>(options.flags());
    put(flags, "worker.role", role);
    put(flags, "worker.plugin", plugin);
    put(flags, "worker.node", node);
    return flags;
  }

  private static void put(Map<String, String> flags, String key, @Nullable String value) {
    if (value != null) {
      flags.put(key, value);
    }
  }

  private int run(WorkerConfig config, StopSignal stop) {
    int code = ExitCode.OK;
    try (Worker worker = new Worker(config)) {
      worker.start();
      // Its own threads do the work; this one waits for the stop.
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      terminal.err().println("Stopped.");
    } catch (IllegalArgumentException | UncheckedIOException e) {
      terminal.err().println(terminal.bad("berth worker: " + e.getMessage()));
      code = ExitCode.USAGE;
    }
    stop.exitWith(code);
    return code;
  }
}
