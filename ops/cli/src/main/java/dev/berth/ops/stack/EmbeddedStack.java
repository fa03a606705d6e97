package dev.berth.ops.stack;

import dev.berth.driver.calls.CallLog;
import dev.berth.driver.provider.Provider;
import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.ops.topics.PolicyWriter;
import dev.berth.producers.Author;
import dev.berth.producers.Connection;
import dev.berth.producers.NodePublisher;
import dev.berth.producers.SchedulerConfig;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginRole;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Partitioning;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.workers.Worker;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.config.WorkerConfig;
import dev.berth.workers.config.WorkerRole;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All of Berth in one JVM: broker, registry, simulated plugins, Streams application and one worker
 * for all plugin instances. Everything listens on the loopback address or on unix sockets.
 *
 * <p>What is kept is in the data directory; a stack that starts on it goes on where the last one
 * ended. Closed in the reverse order of the start, the broker last but the plugins.
 */
public final class EmbeddedStack implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedStack.class);

  /**
   * Half a dozen plugins at most and one stream thread: more partitions bring no speed here, each
   * one that a transaction touches costs, and most of the start would be the opening of stores that
   * nothing is ever put into. Volumes have two, so that what depends on the partition shows.
   */
  public static final Layout LAYOUT =
      new Layout(
          1,
          Map.of(
              Partitioning.VOLUME, 2,
              Partitioning.LANE, 1,
              Partitioning.PLUGIN, 1,
              Partitioning.NODE, 1,
              Partitioning.KEY, 1));

  private static final Duration DRAIN = Duration.ofSeconds(10);

  /** The plugins live and die with this process: looking at hundreds of instances is mere work. */
  private static final Duration DISCOVERY = Duration.ofSeconds(60);

  private static final int OPEN_CALLS = 200;

  private final StackConfig config;
  private final Clock clock;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private final StackDirectory directory;
  private final StackPlugins plugins;
  private final EmbeddedBroker broker;
  private final EmbeddedRegistry registry;
  private final Connection connection;
  private final StreamsPart streams;
  private final Worker worker;

  private EmbeddedStack(
      StackConfig config, Clock clock, Consumer<String> progress, Runnable whenTaken)
      throws InterruptedException {
    this.config = config;
    this.clock = clock;
    try {
      this.directory = keep(StackDirectory.take(config.data()));
      whenTaken.run();
      progress.accept("starting broker, registry and plugins");
      Starting starting = new Starting();
      var startingBroker = starting.begin("broker", () -> EmbeddedBroker.start(directory.broker()));
      var startingRegistry =
          starting.begin("registry", () -> EmbeddedRegistry.start(directory.registry()));
      var startingPlugins =
          starting.begin("plugins", () -> StackPlugins.start(config, directory, clock));
      // In the order of closing, the last first.
      starting.awaitAll(parts, startingPlugins, startingRegistry, startingBroker);
      this.plugins = startingPlugins.join();
      this.registry = startingRegistry.join();
      this.broker = startingBroker.join();
      this.connection = Connection.to(broker.bootstrapServers(), registry.url());
      progress.accept("making topics and schemas");
      provision();
      progress.accept("starting the Streams application and the worker");
      NativeStore.load(directory.nativeStore());
      var startingStreams =
          starting.begin(
              "streams",
              () ->
                  StreamsPart.start(
                      connection, directory.streams(), config.apiPort(), config.streamThreads()));
      var startingWorker = starting.begin("worker", this::startWorker);
      publish();
      starting.awaitAll(parts, startingStreams, startingWorker);
      this.streams = startingStreams.join();
      this.worker = startingWorker.join();
      progress.accept("waiting until Berth knows its plugins");
      new Readiness(connection, streams.group()).await(config);
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  /**
   * Starts a stack and returns when it takes claims.
   *
   * @param progress told what begins, in words
   * @throws DataInUseException when another stack has the data directory
   * @throws RuntimeException when a part does not start; nothing is left running then
   */
  public static EmbeddedStack start(StackConfig config, Clock clock, Consumer<String> progress)
      throws InterruptedException {
    return start(config, clock, progress, () -> {});
  }

  /**
   * Starts a stack as {@link #start(StackConfig, Clock, Consumer)} does.
   *
   * @param whenTaken run once the data directory belongs to this process, before anything else is
   *     written there; for what the caller keeps in it
   */
  public static EmbeddedStack start(
      StackConfig config, Clock clock, Consumer<String> progress, Runnable whenTaken)
      throws InterruptedException {
    return new EmbeddedStack(config, clock, progress, whenTaken);
  }

  /** How clients reach it. */
  public Connection connection() {
    return connection;
  }

  /** What clients set as {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /** What clients set as {@code schema.registry.url}. */
  public String registryUrl() {
    return registry.url();
  }

  /** Where the query API is reached, {@code host:port}. */
  public String apiAddress() {
    return streams.apiAddress();
  }

  /** Where the Streams application tells its health. */
  public String healthUrl() {
    return streams.healthUrl();
  }

  /** Where the worker tells its health. */
  public String workerHealthUrl() {
    return "http://127.0.0.1:" + worker.healthPort().orElseThrow() + "/health";
  }

  /** Whether the Streams application has not ended by itself. */
  public boolean isRunning() {
    return streams.isRunning();
  }

  /** Where everything is kept. */
  public Path data() {
    return directory.root();
  }

  /** What it is made of. */
  public StackConfig config() {
    return config;
  }

  /** What the plugins were asked. */
  public CallLog calls() {
    return plugins.calls();
  }

  /** The providers by plugin. */
  public Map<String, Provider> providers() {
    return plugins.providers();
  }

  /** Where the plugins' instances listen. */
  public List<EndpointConfig> endpoints() {
    return plugins.endpoints();
  }

  /**
   * The gRPC target of a node instance.
   *
   * @throws IllegalArgumentException if there is none
   */
  public String nodePlugin(String plugin, String node) {
    return endpoints().stream()
        .filter(e -> e.role() == PluginRole.NODE && e.node().equals(node))
        .filter(e -> e.plugin().filter(plugin::equals).isPresent())
        .map(e -> e.address().text())
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no instance of " + plugin + " on node " + node));
  }

  /** Stops everything, the last started first. Doing it again does nothing. */
  @Override
  public void close() {
    // The interrupt that asks for the end would cut the closing short, and leave parts that write.
    boolean interrupted = Thread.interrupted();
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        log.warn("closing failed part={}", part, e);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void provision() {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", connection.bootstrapServers()));
        Registry client = Registry.connect(connection.registry())) {
      new Provisioning(connection.topics(), config.layout(), admin).run(client);
    }
  }

  private Worker startWorker() {
    Worker started =
        new Worker(
            new WorkerConfig(
                "embedded-worker",
                new WorkerRole.Everything(),
                connection.bootstrapServers(),
                connection.registry(),
                connection.topics(),
                plugins.endpoints(),
                OPEN_CALLS,
                directory.mounts("all"),
                DISCOVERY,
                config.listingInterval(),
                DRAIN,
                OptionalInt.of(0),
                Map.of(),
                Map.of()));
    started.start();
    return started;
  }

  private void publish() throws InterruptedException {
    try (PolicyWriter policies = new PolicyWriter(connection, clock)) {
      for (StackPlugin plugin : config.plugins()) {
        if (!plugin.policy().isEmpty()) {
          policies.set("plugin/" + plugin.id(), plugin.policy(), Author.of("embedded stack"));
        }
      }
    }
    try (NodePublisher nodes =
        NodePublisher.start(SchedulerConfig.of(config.scheduler(), connection))) {
      List<CompletableFuture<Void>> written = new ArrayList<>();
      config.nodeIds().forEach(node -> written.add(nodes.publish(node, NodeStatus.READY, true)));
      CompletableFuture.allOf(written.toArray(CompletableFuture<?>[]::new)).join();
    }
  }

  private <T extends AutoCloseable> T keep(T part) {
    parts.push(part);
    return part;
  }
}
