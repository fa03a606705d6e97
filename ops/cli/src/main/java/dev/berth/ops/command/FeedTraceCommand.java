package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.status.CommandStatus;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.Author;
import dev.berth.producers.Commands;
import dev.berth.producers.Connection;
import dev.berth.producers.FeedPositions;
import dev.berth.producers.FieldRules;
import dev.berth.producers.NodePublisher;
import dev.berth.producers.PeriodicReconciler;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.producers.metrics.SchedulerMeters;
import dev.berth.producers.trace.Pace;
import dev.berth.producers.trace.Replay;
import dev.berth.producers.trace.ReplayOptions;
import dev.berth.producers.trace.ReplayResult;
import dev.berth.producers.trace.Trace;
import dev.berth.producers.trace.TracePlan;
import dev.berth.producers.trace.TracePlugins;
import dev.berth.producers.trace.TraceSummary;
import dev.berth.producers.trace.TraceVolume;
import dev.berth.producers.trace.Workload;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.FeedPosition;
import dev.berth.records.NodeStatus;
import io.micrometer.core.instrument.Gauge;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth feed trace}. */
@Command(
    name = "trace",
    description = {
      "Replays a cluster trace as a scheduler would.",
      "Every pod is an alloc that claims, runs and ends. What the trace lacks is derived from it,",
      "always in the same way: nodes, volumes, plugins, access modes. Without files, a small trace",
      "that comes with Berth.",
      "The plugins ebs, gce and nfs must serve the trace's nodes: --dry-run names both,",
      "and an attach for a node without its plugin waits. 'berth demo' brings all of it.",
      "Stopped at any point and started again with the same --feed, it goes on where it was."
    },
    footer = {
      "",
      "Examples:",
      "  berth feed trace --trace pods.csv --nodes nodes.csv --dry-run",
      "  berth feed trace --register --config berth.properties",
      "  berth feed trace --trace pods.csv --nodes nodes.csv --speed 10000 --config berth.properties"
    })
final class FeedTraceCommand implements Callable<Integer> {

  private static final Duration TO_REGISTER = Duration.ofMinutes(2);
  private static final Duration RECONCILING = Duration.ofMinutes(2);

  @Option(names = "--trace", paramLabel = "FILE", description = "CSV file of the pods.")
  private @Nullable Path pods;

  @Option(names = "--nodes", paramLabel = "FILE", description = "CSV file of the nodes.")
  private @Nullable Path nodes;

  @Option(
      names = "--speed",
      paramLabel = "FACTOR",
      defaultValue = "max",
      description =
          "Seconds of the trace per second, or max: as fast as Berth goes (default:"
              + " ${DEFAULT-VALUE}).")
  private String speed = "max";

  @Option(
      names = "--rate",
      paramLabel = "COUNT",
      description = "Allocs that claim per second at most (default: no limit).")
  private @Nullable Double rate;

  @Option(
      names = "--window",
      paramLabel = "COUNT",
      defaultValue = "" + ReplayOptions.USUAL_WINDOW,
      description = "Allocs between claim and end at most (default: ${DEFAULT-VALUE}).")
  private int window = ReplayOptions.USUAL_WINDOW;

  @Option(
      names = "--feed",
      paramLabel = "ID",
      defaultValue = "trace",
      description = "Under this id the position is kept (default: ${DEFAULT-VALUE}).")
  private String feed = "trace";

  @Option(
      names = "--scheduler",
      paramLabel = "ID",
      description = "The scheduler that the allocs belong to (default: the id of the feed).")
  private @Nullable String scheduler;

  @Option(
      names = "--register",
      description = "First registers the volumes and publishes the nodes that the trace needs.")
  private boolean register;

  @Option(names = "--dry-run", description = "Only says what would be done; needs no connection.")
  private boolean dryRun;

  @Mixin private final OutputOption output = new OutputOption();

  @Mixin private final StatusOption health = new StatusOption();
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  private final Terminal terminal;

  FeedTraceCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    if ((pods == null) != (nodes == null)) {
      throw connection.usage("--trace and --nodes belong together: give both, or none");
    }
    ReplayOptions options = options();
    TracePlan plan = TracePlan.of(trace(), TracePlugins.usual());
    if (dryRun) {
      print(FeedOutput.plan(TraceSummary.of(plan), plan.nodes()));
      return ExitCode.OK;
    }
    ReplayResult result = replay(plan, options, connection.connection());
    print(FeedOutput.result(result));
    return result.rejected().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private Trace trace() {
    return pods == null || nodes == null ? Trace.sample() : Trace.read(pods, nodes);
  }

  /** Of its own, unless said otherwise: a feed must not be in the way of another one's claims. */
  private String scheduler() {
    return scheduler == null ? feed : scheduler;
  }

  private ReplayOptions options() {
    try {
      Pace pace = Pace.parse(speed);
      var unused = FieldRules.id(scheduler == null ? "feed" : "scheduler", scheduler());
      return ReplayOptions.of(FieldRules.name("feed", feed))
          .withPace(rate == null ? pace : pace.atMost(rate))
          .withWindow(window);
    } catch (IllegalArgumentException e) {
      throw connection.usage(String.valueOf(e.getMessage()));
    }
  }

  private ReplayResult replay(TracePlan plan, ReplayOptions options, Connection to)
      throws InterruptedException {
    SchedulerConfig config = SchedulerConfig.of(scheduler(), to);
    try (CommandStatus status = health.open(terminal);
        Progress progress = new Progress(terminal, System::nanoTime);
        Scheduler speaker = Scheduler.start(config)) {
      new SchedulerMeters(speaker).bindTo(status.registry());
      if (register) {
        register(plan, config, progress);
      }
      Optional<FeedPosition> from = FeedPositions.read(config, options.feed());
      progress.step("allocs through claim, run and end", plan.allocs().size(), Replay.ended(from));
      Replay replay = new Replay(plan, options, speaker, Workload.stated(), Clock.systemUTC());
      PeriodicReconciler reconciler =
          PeriodicReconciler.start(replay.reconciler(speaker), RECONCILING);
      try {
        AtomicInteger ended = new AtomicInteger();
        Gauge.builder("berth.feed.ended", ended::doubleValue)
            .description("Allocs that have come to their end")
            .register(status.registry());
        return replay.run(
            from,
            at -> {
              ended.set(at.ended());
              progress.at(at.ended());
            });
      } finally {
        reconciler.close();
      }
    }
  }

  private static void register(TracePlan plan, SchedulerConfig config, Progress progress)
      throws InterruptedException {
    progress.step("registering volumes", plan.volumes().size());
    try (NodePublisher publisher = NodePublisher.start(config);
        Commands commands = Commands.start(config.connection())) {
      List<CompletableFuture<?>> published = new ArrayList<>();
      plan.nodes().forEach(node -> published.add(publisher.publish(node, NodeStatus.READY, true)));
      List<CompletableFuture<CommandResult>> registered = new ArrayList<>();
      for (TraceVolume volume : plan.volumes()) {
        registered.add(commands.registerVolume(volume.spec(), Author.of("berth feed trace")));
      }
      for (CompletableFuture<?> node : published) {
        var unused = within(node);
      }
      for (int i = 0; i < registered.size(); i++) {
        CommandResult result = within(registered.get(i));
        if (result.getOutcome() != CommandOutcome.OK) {
          throw new IllegalStateException(
              "volume %s was not registered: %s"
                  .formatted(plan.volumes().get(i).id(), result.getMessage()));
        }
        progress.at(i + 1);
      }
    }
  }

  private static <T> T within(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get(TO_REGISTER.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("registering failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "no answer to a registration for %d s: is Berth running?"
              .formatted(TO_REGISTER.toSeconds()),
          e);
    }
  }

  private void print(ObjectNode json) {
    output.print(terminal, () -> json, () -> FeedOutput.text(json));
  }
}
