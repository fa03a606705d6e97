package dev.berth.ops.demo;

import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSnapshot;
import dev.berth.ops.lives.LifeBook;
import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackConfig;
import dev.berth.ops.stack.StackPlugin;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.topics.RowsLeft;
import dev.berth.producers.Author;
import dev.berth.producers.Commands;
import dev.berth.producers.FeedPositions;
import dev.berth.producers.PeriodicReconciler;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.producers.trace.Pace;
import dev.berth.producers.trace.Replay;
import dev.berth.producers.trace.ReplayFailedException;
import dev.berth.producers.trace.ReplayOptions;
import dev.berth.producers.trace.TracePlan;
import dev.berth.producers.trace.TraceVolume;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.FeedPosition;
import dev.berth.schemas.topics.Topic;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The demonstration: starts a stack, replays a plan on it, gathers what was seen. On the data of
 * one that was killed it goes on where that one was.
 */
public final class Demo {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration RECONCILING = Duration.ofSeconds(30);
  private static final String SCHEDULER = "demo";

  private final TracePlan plan;
  private final Pace pace;
  private final StackConfig config;
  private final int killsAsked;
  private final Clock clock;
  private final Consumer<EmbeddedStack> whenReady;

  /**
   * Prepares.
   *
   * @param stack where, and how fast the plugins are; nodes, slots and the plugins used follow from
   *     the plan
   * @param killsAsked how often it is to be killed in all its lives (count)
   * @param whenReady gets the stack before the first claim
   */
  public Demo(
      TracePlan plan,
      Pace pace,
      StackConfig stack,
      int killsAsked,
      Clock clock,
      Consumer<EmbeddedStack> whenReady) {
    this.plan = plan;
    this.pace = pace;
    this.killsAsked = killsAsked;
    this.clock = clock;
    this.whenReady = whenReady;
    Map<String, List<String>> nodes = nodesByPlugin(plan);
    this.config =
        stack
            .withScheduler(SCHEDULER)
            .withNodes(plan.nodes(), nodes)
            .withPlugins(
                stack.plugins().stream()
                    .filter(plugin -> nodes.containsKey(plugin.id()))
                    .map(this::withRoom)
                    .toList())
            .withKnownVolumesOnly()
            .withOneCallLog();
  }

  /** By plugin: the nodes on which allocs use its volumes. */
  private static Map<String, List<String>> nodesByPlugin(TracePlan plan) {
    Map<String, Set<String>> used =
        plan.allocs().stream()
            .flatMap(
                alloc ->
                    alloc.uses().stream()
                        .map(use -> Map.entry(use.volume().plugin(), alloc.node())))
            .collect(
                Collectors.groupingBy(
                    Map.Entry::getKey,
                    Collectors.mapping(Map.Entry::getValue, Collectors.toSet())));
    Map<String, List<String>> inOrder = new LinkedHashMap<>();
    used.forEach(
        (plugin, nodes) ->
            inOrder.put(plugin, plan.nodes().stream().filter(nodes::contains).toList()));
    return inOrder;
  }

  /** So many slots that no claim of the plan can be refused for one, however many live at once. */
  private StackPlugin withRoom(StackPlugin plugin) {
    long volumes = plan.volumes().stream().filter(v -> v.plugin().equals(plugin.id())).count();
    return plugin.maxVolumes() == 0
        ? plugin
        : plugin.withMaxVolumes(Math.max(plugin.maxVolumes(), volumes));
  }

  /**
   * Does it.
   *
   * @return what was seen, also when the replay did not come to its end
   * @throws RuntimeException when the stack does not start or the volumes cannot be registered
   */
  public DemoResult run(Progress progress) throws InterruptedException {
    try (EmbeddedStack stack = EmbeddedStack.start(config, clock, progress::step)) {
      progress.step("registering %d volumes".formatted(plan.volumes().size()));
      register(stack);
      Duration untilReady = ProcessFacts.uptime(clock.instant());
      whenReady.accept(stack);
      Instant began = clock.instant();
      Optional<String> failure = replay(stack, progress);
      Duration took = Duration.between(began, clock.instant());
      progress.step("checking");
      return result(stack, failure, untilReady, took);
    }
  }

  /** Replays, and waits until Berth has released everything; what went wrong. */
  private Optional<String> replay(EmbeddedStack stack, Progress progress)
      throws InterruptedException {
    SchedulerConfig speaker = SchedulerConfig.of(SCHEDULER, stack.connection());
    try (Scheduler scheduler = Scheduler.start(speaker);
        NodeClients clients = new NodeClients(stack::nodePlugin);
        RowsLeft claims = new RowsLeft(stack.connection(), Topic.CLAIMS)) {
      Optional<FeedPosition> from = FeedPositions.read(speaker, SCHEDULER);
      progress.step("allocs through claim, run and end", plan.allocs().size(), Replay.ended(from));
      Replay replay =
          new Replay(
              plan,
              ReplayOptions.of(SCHEDULER).withPace(pace).withPatience(PATIENCE),
              scheduler,
              clients,
              clock);
      PeriodicReconciler reconciler =
          PeriodicReconciler.start(replay.reconciler(scheduler), RECONCILING);
      try {
        replay.run(from, at -> progress.at(at.ended()));
      } finally {
        reconciler.close();
      }
      progress.step("waiting for the last releases");
      claims.awaitNone(PATIENCE);
      return Optional.empty();
    } catch (ReplayFailedException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private DemoResult result(
      EmbeddedStack stack, Optional<String> failure, Duration untilReady, Duration took) {
    TopicsRead topics = TopicsRead.of(stack.connection(), plan, LifeBook.read(config.data()));
    return new DemoResult(
        plan,
        failure,
        stack.calls().calls(),
        snapshots(stack.providers()),
        topics.findings(),
        killsAsked,
        topics.lives(),
        new DemoResult.Timing(
            untilReady,
            topics.findings().firstGrantAfter(ProcessFacts.startedAt()),
            took,
            ProcessFacts.peakMemoryKb()));
  }

  private void register(EmbeddedStack stack) throws InterruptedException {
    Author author = Author.of("berth demo");
    try (Commands commands = Commands.start(stack.connection())) {
      List<CompletableFuture<CommandResult>> results = new ArrayList<>();
      for (TraceVolume volume : plan.volumes()) {
        create(stack, volume);
        results.add(commands.registerVolume(volume.spec(), author));
      }
      for (CompletableFuture<CommandResult> result : results) {
        requireOk(within(result));
      }
    }
  }

  private void create(EmbeddedStack stack, TraceVolume volume) {
    for (StackPlugin plugin : config.plugins()) {
      if (plugin.id().equals(volume.plugin())) {
        Provider provider = stack.providers().get(plugin.id());
        if (provider != null) {
          provider.createVolume(volume.externalId(), plugin.access());
        }
      }
    }
  }

  private static CommandResult within(CompletableFuture<CommandResult> result)
      throws InterruptedException {
    try {
      return result.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new DemoFailure("the registration of a volume: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new DemoFailure(
          "the registration of a volume: nothing after %d s".formatted(PATIENCE.toSeconds()), e);
    }
  }

  private static void requireOk(CommandResult result) {
    if (result.getOutcome() != CommandOutcome.OK) {
      throw new DemoFailure(
          "%s of %s was refused: %s"
              .formatted(result.getCommand(), result.getSubject(), result.getMessage()));
    }
  }

  private static Map<String, ProviderSnapshot> snapshots(Map<String, Provider> providers) {
    Map<String, ProviderSnapshot> snapshots = new TreeMap<>();
    providers.forEach((plugin, provider) -> snapshots.put(plugin, provider.snapshot()));
    return snapshots;
  }
}
