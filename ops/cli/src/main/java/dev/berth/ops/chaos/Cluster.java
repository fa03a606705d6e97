package dev.berth.ops.chaos;

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

/** Berth in seven processes, each of which can be struck. For one thread. */
final class Cluster implements AutoCloseable {

  static final String BROKER = "broker";
  static final String PLUGINS = "plugins";
  static final List<String> STREAMS = List.of("streams-1", "streams-2");
  static final List<String> WORKERS = List.of("worker-1", "worker-2", "worker-3");

  /** In the order of an upgrade: what decides, then what carries it out. */
  static final List<String> ROLLED = Stream.concat(STREAMS.stream(), WORKERS.stream()).toList();

  /** Workers mount its volumes. */
  static final String MOUNTED = "ebs";

  /** Clients mount its volumes. */
  static final String BY_CLIENT = "gce";

  static final List<String> PLUGIN_IDS = List.of(MOUNTED, BY_CLIENT);
  static final List<String> NODES = List.of("n1", "n2", "n3");

  private static final String SCHEDULER = "chaos-nodes";
  private static final int PARTITIONS = 2;
  private static final Map<String, String> SHORT_CALLS =
      Map.of("rpc-timeout", "5s", "settle-margin", "2s");

  private final Path directory;
  private final Path logs;
  private final Connection connection;
  private final ClusterFiles files;
  private final Map<String, Child> children = new LinkedHashMap<>();

  private Cluster(Path directory, GroupProtocols protocols, int brokerPort, int registryPort)
      throws IOException {
    this.directory = directory;
    this.logs = Files.createDirectories(directory.resolve("logs"));
    this.connection = Connection.to("127.0.0.1:" + brokerPort, "http://127.0.0.1:" + registryPort);
    this.files = new ClusterFiles(directory, connection, protocols);
  }

  /**
   * Starts all processes; Streams and workers may still be joining their groups.
   *
   * @throws IllegalStateException when a process does not serve
   */
  static Cluster start(Path directory, long seed, GroupProtocols protocols, boolean outlive)
      throws InterruptedException {
    int brokerPort = Ports.free();
    int registryPort = Ports.free();
    Cluster cluster;
    try {
      cluster = new Cluster(directory, protocols, brokerPort, registryPort);
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be used".formatted(directory), e);
    }
    try {
      cluster.launch(brokerPort, registryPort, seed, outlive);
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

  Connection connection() {
    return connection;
  }

  Child child(String name) {
    Child child = children.get(name);
    if (child == null) {
      throw new IllegalArgumentException("there is no process " + name);
    }
    return child;
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
      ReadyProbe.await(name, files.healthPort(name));
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

  private void launch(int brokerPort, int registryPort, long seed, boolean outlive)
      throws IOException, InterruptedException {
    start(
        BROKER,
        BrokerMain.class.getName(),
        List.of(directory.toString(), Integer.toString(brokerPort), Integer.toString(registryPort)),
        "512m");
    start(
        PLUGINS,
        PluginsMain.class.getName(),
        List.of(directory.toString(), Long.toString(seed), Boolean.toString(outlive)),
        "256m");
    child(BROKER).awaitReady();
    provision();
    child(PLUGINS).awaitReady();
    for (String name : STREAMS) {
      start(name, "dev.berth.streams.app.Main", List.of("--config", files.streams(name)), "512m");
    }
    for (String name : WORKERS) {
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
