package dev.berth.bench.system;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.script.Script;
import dev.berth.ops.api.ApiClient;
import dev.berth.ops.api.ApiTarget;
import dev.berth.ops.api.Pause;
import dev.berth.ops.api.Reads;
import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackConfig;
import dev.berth.ops.stack.StackPlugin;
import dev.berth.ops.stack.TemporaryData;
import dev.berth.producers.Alloc;
import dev.berth.producers.Author;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.Commands;
import dev.berth.producers.Connection;
import dev.berth.producers.Saying;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.producers.VolumeUse;
import dev.berth.proto.api.ListLanesRequest;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.ReplyOutcome;
import dev.berth.schemas.topics.Layout;
import dev.berth.streams.query.ApiConfig;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * All of Berth in this JVM, with the partitions that a deployment has by default: brokers, plugins
 * and the product share its processors. What is compared with it runs on the same brokers.
 */
public final class BenchStack implements AutoCloseable {
  private static final Author AUTHOR = Author.of("bench");
  private static final Duration FOR_CALL = Duration.ofSeconds(20);
  private static final Duration LOOK = Duration.ofMillis(100);

  /** Volumes whose registrations are on their way at a time (count). */
  private static final int AT_ONCE = 500;

  private final Parts parts = new Parts("the stack of a bench");
  private final Script script = Script.empty();
  private final EmbeddedStack stack;
  private final Commands commands;
  private final Scheduler scheduler;
  private final Reads reads;

  private BenchStack(
      List<StackPlugin> plugins, List<String> nodes, Map<String, List<String>> served, int threads)
      throws InterruptedException {
    try {
      TemporaryData data = parts.keep(TemporaryData.create("berth-bench", false));
      stack =
          parts.keep(
              EmbeddedStack.start(
                  StackConfig.in(data.path())
                      .withPlugins(plugins)
                      .withNodes(nodes, served)
                      .withScript(script)
                      .withLayout(Layout.replicated(1), threads)
                      // Lists of thousands of volumes are not what is measured.
                      .withListingInterval(Duration.ofHours(1)),
                  Clock.systemUTC(),
                  step -> {}));
      commands = parts.keep(Commands.start(stack.connection()));
      scheduler =
          parts.keep(
              Scheduler.start(SchedulerConfig.of(stack.config().scheduler(), stack.connection())));
      ApiClient api =
          parts.keep(
              ApiClient.to(
                  ApiTarget.plain(ApiConfig.Address.parse("api", stack.apiAddress())),
                  FOR_CALL,
                  step -> {},
                  Pause.real()));
      reads = new Reads(api, false);
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  /**
   * Starts one and returns when it takes claims.
   *
   * @param plugins the plugins
   * @param nodes the nodes
   * @param served by plugin: the nodes that have an instance of it
   * @param threads stream threads (count)
   * @throws RuntimeException when a part does not start
   * @throws InterruptedException when interrupted meanwhile
   */
  public static BenchStack start(
      List<StackPlugin> plugins, List<String> nodes, Map<String, List<String>> served, int threads)
      throws InterruptedException {
    return new BenchStack(plugins, nodes, served, threads);
  }

  /** What the plugins do; rules may be added and dropped while they run. */
  public Script script() {
    return script;
  }

  /** How clients reach it. */
  public Connection connection() {
    return stack.connection();
  }

  /** Who the nodes belong to; its library is safe for use by many threads. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /**
   * Registers volumes and returns when they can be claimed.
   *
   * @throws IllegalStateException when one is refused or not answered
   */
  public void register(List<BenchVolume> volumes) throws InterruptedException {
    register(commands, volumes);
  }

  /**
   * Registers volumes with any Berth and returns when they can be claimed.
   *
   * @throws IllegalStateException when one is refused or not answered
   */
  public static void register(Commands commands, List<BenchVolume> volumes)
      throws InterruptedException {
    for (int from = 0; from < volumes.size(); from += AT_ONCE) {
      List<BenchVolume> some = volumes.subList(from, Math.min(volumes.size(), from + AT_ONCE));
      Answers.insist(some, volume -> commands.registerVolume(volume.spec(), AUTHOR));
    }
  }

  /** Lets no call of these plugins out until {@link #resume}. */
  public void pause(Collection<String> plugins) throws InterruptedException {
    Answers.insist(plugins, plugin -> commands.pause(plugin, AUTHOR));
  }

  /** Lets calls out again. */
  public void resume(Collection<String> plugins) throws InterruptedException {
    Answers.insist(plugins, plugin -> commands.resume(plugin, AUTHOR));
  }

  /** What claims a volume. */
  public static Saying claim(BenchVolume volume) {
    return new Saying.Claims(
        ClaimRequest.write(
                volume.alloc(),
                volume.node(),
                BenchVolume.NAMESPACE,
                volume.id(),
                BenchVolume.ACCESS)
            .build(),
        waiting -> {});
  }

  /** What ends the alloc of a volume: it has ended, and its client has unmounted. */
  public static List<Saying> end(BenchVolume volume) {
    Alloc alloc = Alloc.of(volume.alloc(), VolumeUse.of(BenchVolume.NAMESPACE, volume.id()));
    return List.of(
        new Saying.Status(alloc, ClientStatus.COMPLETE, DesiredStatus.STOP),
        new Saying.Unmounted(alloc));
  }

  /** Claims volumes, in a few transactions. */
  public List<CompletableFuture<ClaimReply>> claim(List<BenchVolume> volumes) {
    return scheduler
        .say(volumes.stream().map(BenchStack::claim).toList(), Optional.empty())
        .replies();
  }

  /**
   * Returns when all are granted.
   *
   * @throws IllegalStateException when one is rejected, or they take longer
   */
  public static void awaitGranted(
      Collection<CompletableFuture<ClaimReply>> replies, Duration within)
      throws InterruptedException {
    for (ClaimReply reply : Answers.await(replies, within)) {
      if (reply.getOutcome() != ReplyOutcome.GRANTED) {
        throw new IllegalStateException("a claim was not granted: " + reply);
      }
    }
  }

  /**
   * Returns when the calls of all these claims are in line, behind a pause.
   *
   * @throws IllegalStateException when that takes longer, or a claim is answered
   */
  public void awaitQueued(
      Collection<String> plugins, Collection<CompletableFuture<ClaimReply>> claims, Duration within)
      throws InterruptedException {
    long deadline = System.nanoTime() + within.toNanos();
    while (true) {
      long waiting = inLine(plugins);
      if (waiting >= claims.size()) {
        return;
      }
      Optional<ClaimReply> answered =
          claims.stream()
              .filter(CompletableFuture::isDone)
              .map(CompletableFuture::join)
              .findFirst();
      if (answered.isPresent()) {
        throw new IllegalStateException("a claim behind a pause was answered: " + answered.get());
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "%d of %d calls are in line after %d s"
                .formatted(waiting, claims.size(), within.toSeconds()));
      }
      TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
    }
  }

  /** Calls of these plugins that wait for their turn, or for the end of a pause (count). */
  public long inLine(Collection<String> plugins) {
    Set<String> asked = Set.copyOf(plugins);
    return reads.lanes(ListLanesRequest.getDefaultInstance()).entries().stream()
        .filter(plugin -> asked.contains(plugin.getPlugin()))
        .mapToLong(plugin -> plugin.getQueued() + plugin.getHeld())
        .sum();
  }

  /** The calls that the plugins saw for these volumes, in the order of their starts. */
  public List<Call> calls(Rpc rpc, Collection<BenchVolume> volumes) {
    Set<String> ids = volumes.stream().map(BenchVolume::id).collect(Collectors.toSet());
    return calls(rpc, Instant.MIN).stream()
        .filter(call -> ids.contains(call.facts().volume()))
        .toList();
  }

  /** The calls that the plugins saw since a time, in the order of their starts. */
  public List<Call> calls(Rpc rpc, Instant since) {
    return stack.calls().calls(rpc).stream()
        .filter(call -> !call.startedAt().isBefore(since))
        .toList();
  }

  @Override
  public void close() {
    parts.close();
  }
}
