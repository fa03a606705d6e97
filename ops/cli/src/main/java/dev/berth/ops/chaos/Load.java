package dev.berth.ops.chaos;

import dev.berth.producers.Alloc;
import dev.berth.producers.Author;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.Commands;
import dev.berth.producers.Connection;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.producers.VolumeUse;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClientStatus;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.DesiredStatus;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.VolumeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A steady stream of allocs: each claims a volume, runs for a moment, and ends for certain. */
final class Load implements AutoCloseable {

  static final String NAMESPACE = "chaos";

  private static final int CLIENTS = 8;
  private static final int VOLUMES_PER_PLUGIN = 5;
  private static final Duration FOR_ANSWER = Duration.ofSeconds(45);
  private static final Duration FOR_START = Duration.ofMinutes(2);
  private static final Author AUTHOR = Author.of("chaos");

  private final Connection connection;
  private final Scheduler scheduler;
  private final SplittableRandom seeds;
  private final List<Thread> clients = new ArrayList<>();
  private final Operator operator;
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger granted = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final ConcurrentHashMap<String, Integer> rejected = new ConcurrentHashMap<>();
  private volatile boolean ending;

  /** Connects. */
  Load(Connection connection, long seed) {
    this.connection = connection;
    this.seeds = new SplittableRandom(seed);
    this.operator = new Operator(connection);
    this.scheduler = Scheduler.start(SchedulerConfig.of("chaos", connection));
  }

  /**
   * What was asked and answered.
   *
   * @param claims asked (count)
   * @param granted of them (count)
   * @param unanswered given up by their clients (count)
   * @param rejected by code (counts)
   * @param commands of an operator, by command and outcome (counts)
   */
  record Figures(
      int claims,
      int granted,
      int unanswered,
      Map<String, Integer> rejected,
      Map<String, Integer> commands) {
    Figures {
      rejected = Map.copyOf(rejected);
      commands = Map.copyOf(commands);
    }
  }

  /** Registers the volumes and waits until claims are granted. */
  void prepare() throws InterruptedException {
    try (Commands commands = Commands.start(connection)) {
      for (String plugin : Cluster.PLUGIN_IDS) {
        for (int i = 1; i <= VOLUMES_PER_PLUGIN; i++) {
          VolumeSpec spec = spec(plugin, i);
          insist(
              () -> commands.registerVolume(spec, AUTHOR),
              (CommandResult result) -> result.getOutcome() == CommandOutcome.OK);
        }
      }
    }
    for (String plugin : Cluster.PLUGIN_IDS) {
      for (String node : Cluster.NODES) {
        awaitGrant(plugin, node);
      }
    }
  }

  /** Begins; returns at once. */
  void begin() {
    for (int i = 0; i < CLIENTS; i++) {
      SplittableRandom random = seeds.split();
      launch("client-" + i, () -> live(random));
    }
    SplittableRandom random = seeds.split();
    launch("operator", () -> operate(random));
  }

  private void launch(String name, Runnable run) {
    Thread client = new Thread(run, name);
    client.setDaemon(true);
    clients.add(client);
    client.start();
  }

  /** Ends: no new allocs, and every one there is says that it has ended. */
  Figures end() throws InterruptedException {
    ending = true;
    for (Thread client : clients) {
      client.join();
    }
    return new Figures(
        numbers.get(), granted.get(), unanswered.get(), rejected, operator.outcomes());
  }

  static String externalId(String volume) {
    return "ext-" + volume;
  }

  @Override
  public void close() {
    ending = true;
    clients.forEach(Thread::interrupt);
    operator.close();
    scheduler.close();
  }

  private static String volume(String plugin, int number) {
    return plugin + "-" + number;
  }

  private static VolumeSpec spec(String plugin, int number) {
    return VolumeSpec.newBuilder()
        .setNamespace(NAMESPACE)
        .setVolume(volume(plugin, number))
        .setPlugin(plugin)
        .setExternalId(externalId(volume(plugin, number)))
        .setCapabilities(
            List.of(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
        .build();
  }

  private void live(SplittableRandom random) {
    try {
      while (!ending) {
        String plugin = oneOf(Cluster.PLUGIN_IDS, random);
        if (alloc(anyVolume(plugin, random), oneOf(Cluster.NODES, random))) {
          TimeUnit.MILLISECONDS.sleep(random.nextInt(100, 1_500));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void operate(SplittableRandom random) {
    try {
      while (!ending) {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(1_000, 4_000));
        String plugin = oneOf(Cluster.PLUGIN_IDS, random);
        operator.act(random, plugin, anyVolume(plugin, random), oneOf(Cluster.NODES, random));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String anyVolume(String plugin, SplittableRandom random) {
    return volume(plugin, random.nextInt(1, VOLUMES_PER_PLUGIN + 1));
  }

  private static String oneOf(List<String> names, SplittableRandom random) {
    return names.get(random.nextInt(names.size()));
  }

  private void awaitGrant(String plugin, String node) throws InterruptedException {
    long deadline = System.nanoTime() + FOR_START.toNanos();
    while (!alloc(volume(plugin, 1), node)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "no claim on %s on %s was granted within %d s of the start; rejections: %s"
                .formatted(plugin, node, FOR_START.toSeconds(), rejected));
      }
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  /** The life of one alloc; whether its claim was granted. */
  private boolean alloc(String volume, String node) throws InterruptedException {
    String id = "a-" + numbers.incrementAndGet();
    ClaimRequest request =
        ClaimRequest.write(id, node, NAMESPACE, volume, AccessMode.SINGLE_NODE_WRITER).build();
    boolean got = answer(scheduler.claim(request));
    Alloc alloc = Alloc.of(id, VolumeUse.of(NAMESPACE, volume));
    if (got) {
      granted.incrementAndGet();
      insist(() -> scheduler.alloc(alloc, ClientStatus.RUNNING, DesiredStatus.RUN), done -> true);
    }
    insist(() -> scheduler.alloc(alloc, ClientStatus.COMPLETE, DesiredStatus.STOP), done -> true);
    if (volume.startsWith(Cluster.BY_CLIENT)) {
      // Of volumes that workers mount this would be a lie, and Berth would detach at once.
      insist(() -> scheduler.unmounted(alloc), done -> true);
    }
    return got;
  }

  private boolean answer(Future<ClaimReply> reply) throws InterruptedException {
    try {
      ClaimReply answer = reply.get(FOR_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
      if (answer.getOutcome() == ReplyOutcome.GRANTED) {
        return true;
      }
      rejected.merge(answer.getCode().map(Enum::name).orElse("none"), 1, Integer::sum);
    } catch (TimeoutException | ExecutionException e) {
      // Nobody answered in time, or it was not written: the alloc ends all the same.
      unanswered.incrementAndGet();
    }
    return false;
  }

  /** Says it again until it is taken: an alloc that nobody ends would keep its volume. */
  private static <T> void insist(
      Supplier<? extends Future<T>> say, java.util.function.Predicate<T> taken)
      throws InterruptedException {
    long deadline = System.nanoTime() + FOR_START.toNanos();
    while (true) {
      try {
        if (taken.test(say.get().get(FOR_ANSWER.toMillis(), TimeUnit.MILLISECONDS))) {
          return;
        }
      } catch (TimeoutException | ExecutionException e) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("a statement could not be written", e);
        }
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("what was asked was refused until now");
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }
}
