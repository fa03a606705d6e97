package dev.berth.ops.chaos;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallLog;
import dev.berth.ops.topics.PolicyWriter;
import dev.berth.producers.Author;
import dev.berth.producers.Connection;
import dev.berth.producers.NodePublisher;
import dev.berth.producers.SchedulerConfig;
import dev.berth.records.NodeStatus;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Partitioning;
import dev.berth.schemas.topics.Provisioning;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;

/** Berth in some seven processes, each of which can be struck. For one thread. */
public final class Cluster implements AutoCloseable {

  /** Broker and registry, in one process. */
  public static final String BROKER = "broker";

  /** The Streams instances; each one's name is its {@code client.id} too. */
  public static final List<String> STREAMS = List.of("streams-1", "streams-2");

  static final String PLUGINS = "plugins";

  /** The workers of the largest cluster; each one's name is its {@code worker.id} too. */
  static final List<String> WORKERS = List.of("worker-1", "worker-2", "worker-3");

  /** In the order of an upgrade: what decides, then what carries it out. */
  static final List<String> ROLLED = Stream.concat(STREAMS.stream(), WORKERS.stream()).toList();

  /** Workers mount its volumes. */
  public static final String MOUNTED = "ebs";

  /** Clients mount its volumes. */
  public static final String BY_CLIENT = "gce";

  /** All plugins. */
  public static final List<String> PLUGIN_IDS = List.of(MOUNTED, BY_CLIENT);

  /** All nodes; every plugin has an instance on each. */
  public static final List<String> NODES = List.of("n1", "n2", "n3");

  private static final String SCHEDULER = "chaos-nodes";
  private static final int PARTITIONS = 2;
  private static final Map<String, String> SHORT_CALLS =
      Map.of("rpc-timeout", "5s", "settle-margin", "2s");

  private final ClusterPlan plan;
  private final Path directory;
  private final Path logs;
  private final Connection connection;
  private final ClusterFiles files;
  private final Map<String, Child> children = new LinkedHashMap<>();

  private Cluster(Path directory, ClusterPlan plan, int brokerPort, int registryPort)
      throws IOException {
    this.plan = plan;
    this.directory = directory;
    this.logs = Files.createDirectories(directory.resolve("logs"));
    this.connection = Connection.to("127.0.0.1:" + brokerPort, "http://127.0.0.1:" + registryPort);
    this.files = new ClusterFiles(directory, connection, plan.protocols());
  }

  /**
   * Starts all processes; Streams and workers may still be joining their groups.
   *
   * @param directory empty; short, since sockets are in it
   * @throws IllegalStateException when a process does not serve
   */
  public static Cluster start(Path directory, ClusterPlan plan) throws InterruptedException {
    int brokerPort = Ports.free();
    int registryPort = Ports.free();
    Cluster cluster;
    try {
      cluster = new Cluster(directory, plan, brokerPort, registryPort);
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be used".formatted(directory), e);
    }
    try {
      cluster.launch(brokerPort, registryPort);
      return cluster;
    } catch (IOException e) {
      cluster.close();
      throw new UncheckedIOException("%s cannot be used".formatted(directory), e);
    } catch (RuntimeException | InterruptedException e) {
      cluster.close();
      throw e;
    }
  }

  static String externalNode(String node) {
    return "i-" + node;
  }

  /** How clients reach it. */
  public Connection connection() {
    return connection;
  }

  /**
   * One of its processes.
   *
   * @throws IllegalArgumentException when there is none of this name
   */
  public Child child(String name) {
    Child child = children.get(name);
    if (child == null) {
      throw new IllegalArgumentException("there is no process " + name);
    }
    return child;
  }

  /** The names of its workers. */
  public List<String> workers() {
    return WORKERS.subList(0, plan.workers());
  }

  /** Where a process logs. */
  public Path log(String name) {
    return Child.log(logs, name);
  }

  /** The calls that the plugins have seen so far. */
  public List<Call> calls() {
    try {
      return CallLog.read(directory.resolve(PluginsMain.CALLS));
    } catch (IOException e) {
      throw new UncheckedIOException("the plugins' log cannot be read", e);
    }
  }

  /**
   * Waits until a Streams instance or a worker answers that it is ready.
   *
   * @throws IllegalStateException when it does not in time, with its last answer
   */
  public void awaitReady(String name) throws InterruptedException {
    ReadyProbe.await(name, files.healthPort(name));
  }

  /**
   * Ends all Streams instances, and starts them with other settings and without stores.
   *
   * @param settings over those of a cluster
   */
  public void renewStreams(Map<String, String> settings) throws InterruptedException {
    for (String name : STREAMS) {
      child(name).end();
    }
    try {
      for (String name : STREAMS) {
        files.streams(name, settings);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be used".formatted(directory), e);
    }
    for (String name : STREAMS) {
      child(name).startAgain();
    }
  }

  /**
   * Ends Streams instances and then workers as their operator would, one after the other, each when
   * the one before it is ready again.
   *
   * @throws IllegalStateException when one does not get ready
   */
  void roll() throws InterruptedException {
    for (String name : ROLLED) {
      child(name).end();
      child(name).startAgain();
      awaitReady(name);
    }
  }

  /** Processes that are gone though nobody ended them, by name and exit status. */
  List<String> dead() {
    return children.values().stream().filter(c -> !c.isAlive()).map(Child::obituary).toList();
  }

  /** From now on no call hangs, is slow or loses its reply. */
  void liftCallFaults() {
    try {
      Files.writeString(directory.resolve(PluginsMain.LIFTED), "");
    } catch (IOException e) {
      throw new UncheckedIOException("the faults of calls cannot be lifted", e);
    }
  }

  /** Kills everything; the plugins first, so that their log has no end that nobody caused. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    List<Child> last = new ArrayList<>(children.values());
    for (int i = last.size() - 1; i >= 0; i--) {
      try {
        last.get(i).kill();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void launch(int brokerPort, int registryPort) throws IOException, InterruptedException {
    if (!plan.faults()) {
      liftCallFaults();
    }
    start(
        BROKER,
        BrokerMain.class.getName(),
        List.of(directory.toString(), Integer.toString(brokerPort), Integer.toString(registryPort)),
        "512m");
    start(
        PLUGINS,
        PluginsMain.class.getName(),
        List.of(
            directory.toString(),
            Long.toString(plan.seed()),
            Boolean.toString(plan.outlive()),
            Long.toString(plan.longestCall().toMillis())),
        "256m");
    child(BROKER).awaitReady();
    provision();
    child(PLUGINS).awaitReady();
    for (String name : STREAMS) {
      start(
          name,
          StreamsMain.class.getName(),
          List.of("--config", files.streams(name, plan.streams())),
          "512m");
    }
    for (String name : workers()) {
      start(name, "dev.berth.workers.Main", List.of(files.worker(name)), "256m");
    }
    publish();
  }

  private void start(String name, String main, List<String> arguments, String heap) {
    children.put(name, Child.start(name, main, arguments, logs, heap));
  }

  private void provision() {
    Layout layout =
        new Layout(
            1,
            Map.of(
                Partitioning.VOLUME, PARTITIONS,
                Partitioning.LANE, PARTITIONS,
                Partitioning.PLUGIN, 1,
                Partitioning.NODE, PARTITIONS,
                Partitioning.KEY, 1));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", connection.bootstrapServers()));
        Registry client = Registry.connect(connection.registry())) {
      new Provisioning(connection.topics(), layout, admin).run(client);
    }
  }

  private void publish() throws InterruptedException {
    try (PolicyWriter policies = new PolicyWriter(connection, Clock.systemUTC())) {
      for (String plugin : PLUGIN_IDS) {
        Map<String, String> settings = new LinkedHashMap<>(SHORT_CALLS);
        if (plugin.equals(MOUNTED)) {
          settings.put("node-step", "worker");
        }
        policies.set("plugin/" + plugin, settings, Author.of("chaos"));
      }
    }
    try (NodePublisher nodes = NodePublisher.start(SchedulerConfig.of(SCHEDULER, connection))) {
      NODES.forEach(node -> nodes.publish(node, NodeStatus.READY, true).join());
    }
  }
}
