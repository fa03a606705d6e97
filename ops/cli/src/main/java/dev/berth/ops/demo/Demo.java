package dev.berth.ops.demo;

import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSnapshot;
import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackConfig;
import dev.berth.ops.stack.StackPlugin;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.topics.Tombstones;
import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.Author;
import dev.berth.producers.Commands;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.records.Attachment;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.Claim;
import dev.berth.records.ClaimDecision;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.Happening;
import dev.berth.records.StuckClaim;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.topics.Topic;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The demonstration: starts a stack, carries out the script, gathers what was seen. */
public final class Demo {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String SCHEDULER = "demo";

  private final DemoScript script;
  private final StackConfig config;
  private final Clock clock;
  private final Consumer<EmbeddedStack> whenReady;

  /**
   * Prepares.
   *
   * @param stack where, and how fast the plugins are; nodes and slots follow from the script
   * @param whenReady gets the stack before the first claim
   */
  public Demo(
      DemoScript script, StackConfig stack, Clock clock, Consumer<EmbeddedStack> whenReady) {
    this.script = script;
    this.clock = clock;
    this.whenReady = whenReady;
    this.config =
        stack
            .withScheduler(SCHEDULER)
            .withNodes(script.nodes().size())
            .withPlugins(stack.plugins().stream().map(this::withRoom).toList())
            .withKnownVolumesOnly();
  }

  /** So many slots that no claim of the script can be refused for one, however it is placed. */
  private StackPlugin withRoom(StackPlugin plugin) {
    long volumes = script.volumes().stream().filter(v -> v.plugin().equals(plugin.id())).count();
    return plugin.maxVolumes() == 0
        ? plugin
        : plugin.withMaxVolumes(Math.max(plugin.maxVolumes(), volumes));
  }

  /**
   * Does it.
   *
   * @return what was seen, also when the script did not come to its end
   * @throws RuntimeException when the stack does not start or the volumes cannot be registered
   */
  public DemoResult run(Progress progress) throws InterruptedException {
    try (EmbeddedStack stack = EmbeddedStack.start(config, clock, progress::step)) {
      progress.step("registering %d volumes".formatted(script.volumes().size()));
      register(stack);
      Duration untilReady = ProcessFacts.uptime(clock.instant());
      whenReady.accept(stack);
      progress.step("allocs through claim, run and end", script.allocs().size());
      return run(stack, untilReady, progress);
    }
  }

  private DemoResult run(EmbeddedStack stack, Duration untilReady, Progress progress)
      throws InterruptedException {
    try (Scheduler scheduler = Scheduler.start(SchedulerConfig.of(SCHEDULER, stack.connection()));
        NodeClients clients = new NodeClients(stack::nodePlugin);
        Tombstones claims = new Tombstones(stack.connection(), Topic.CLAIMS)) {
      DemoRun run =
          new DemoRun(
              script,
              new DemoRun.World(scheduler, clients, claims, this::clientMounts, System::nanoTime),
              PATIENCE,
              progress::at);
      long began = System.nanoTime();
      Optional<String> failure = run.run();
      long ended = System.nanoTime();
      progress.step("checking");
      Duration uptime = ProcessFacts.uptime(clock.instant());
      DemoResult.Timing timing =
          new DemoResult.Timing(
              untilReady,
              run.firstGrantAt().map(at -> uptime.minusNanos(System.nanoTime() - at)),
              Duration.ofNanos(ended - began),
              ProcessFacts.peakMemoryKb());
      return new DemoResult(
          script,
          failure,
          run.stories(),
          stack.calls().calls(),
          snapshots(stack.providers()),
          topics(stack),
          timing);
    }
  }

  private boolean clientMounts(String plugin) {
    return config.plugins().stream().noneMatch(p -> p.id().equals(plugin) && p.workersMount());
  }

  private void register(EmbeddedStack stack) throws InterruptedException {
    Author author = Author.of("berth demo");
    try (Commands commands = Commands.start(stack.connection())) {
      List<CompletableFuture<CommandResult>> results = new ArrayList<>();
      for (DemoVolume volume : script.volumes()) {
        create(stack, volume);
        results.add(commands.registerVolume(spec(volume), author));
      }
      for (CompletableFuture<CommandResult> result : results) {
        requireOk(DemoRun.within(PATIENCE, result, "the registration of a volume"));
      }
    }
  }

  private void create(EmbeddedStack stack, DemoVolume volume) {
    for (StackPlugin plugin : config.plugins()) {
      if (plugin.id().equals(volume.plugin())) {
        Provider provider = stack.providers().get(plugin.id());
        if (provider != null) {
          provider.createVolume(volume.externalId(), plugin.access());
        }
      }
    }
  }

  private static VolumeSpec spec(DemoVolume volume) {
    return VolumeSpec.newBuilder()
        .setNamespace(DemoScript.NAMESPACE)
        .setVolume(volume.id())
        .setPlugin(volume.plugin())
        .setExternalId(volume.externalId())
        .setCapabilities(List.of(new Capability(volume.access(), AttachmentMode.FILE_SYSTEM)))
        .build();
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

  private static DemoResult.TopicFindings topics(EmbeddedStack stack) {
    try (TopicContent content = new TopicContent(stack.connection())) {
      return new DemoResult.TopicFindings(
          happenings(content),
          List.copyOf(content.table(Topic.CLAIMS, Claim.class).keySet()),
          List.copyOf(content.table(Topic.ATTACHMENTS, Attachment.class).keySet()),
          List.copyOf(content.table(Topic.STUCK_CLAIMS, StuckClaim.class).keySet()),
          content.count(Topic.REJECTED_RECORDS));
    }
  }

  private static Map<String, Integer> happenings(TopicContent content) {
    Map<String, Integer> counts = new HashMap<>();
    for (var decision : content.records(Topic.CLAIM_HISTORY, ClaimDecision.class)) {
      decision
          .value()
          .ifPresent(
              value -> {
                for (Happening happening : value.getHappenings()) {
                  counts.merge(happening.getName(), 1, Integer::sum);
                }
              });
    }
    return counts;
  }
}
