package dev.berth.ops.stack;

import dev.berth.driver.DriverSpec;
import dev.berth.driver.SimulatedDriver;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Rule;
import dev.berth.driver.script.Script;
import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.producers.Connection;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Partitioning;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.streams.app.AppConfig;
import dev.berth.streams.app.BerthApp;
import dev.berth.streams.topology.BerthTopology;
import dev.berth.workers.Worker;
import dev.berth.workers.config.WorkerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Broker, registry, one plugin, the Streams application and a worker, of which broker and registry
 * can be stopped and started again where they were.
 */
final class OutageStack implements AutoCloseable {
  static final String PLUGIN = "ebs";
  static final String NODE = "n1";
  static final int VOLUME_PARTITIONS = 2;

  private static final Duration CALL = Duration.ofMillis(200);
  private static final Layout LAYOUT =
      new Layout(
          1,
          Map.of(
              Partitioning.VOLUME, VOLUME_PARTITIONS,
              Partitioning.LANE, 1,
              Partitioning.PLUGIN, 1,
              Partitioning.NODE, 1,
              Partitioning.KEY, 1));

  private final Path directory;
  private final CallLog calls = CallLog.inMemory(InstantSource.system());
  private final Provider provider =
      Provider.inMemory(ProviderSpec.strict().withAutoCreate(Access.SINGLE_NODE));
  private final SimulatedDriver driver;
  private final Connection connection;
  private @Nullable EmbeddedBroker broker;
  private @Nullable EmbeddedRegistry registry;
  private final int registryPort;
  private final BerthApp app;
  private final Worker worker;
  private final Thread starting;

  /** Provisions a cluster; application and worker are prepared, and not started yet. */
  OutageStack(Path directory) throws IOException {
    this.directory = directory;
    EmbeddedBroker firstBroker = EmbeddedBroker.start(directory.resolve("broker"));
    EmbeddedRegistry firstRegistry = EmbeddedRegistry.start(directory.resolve("registry"));
    broker = firstBroker;
    registry = firstRegistry;
    registryPort = firstRegistry.port();
    connection = Connection.to(firstBroker.bootstrapServers(), firstRegistry.url());
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", connection.bootstrapServers()));
        Registry client = registryClient()) {
      new Provisioning(connection.topics(), LAYOUT, admin).run(client);
    }
    Path socket = directory.resolve("csi.sock");
    Script script = Script.empty();
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).takes(Latency.fixed(CALL)));
    driver =
        SimulatedDriver.start(DriverSpec.monolith(PLUGIN, "i-1"), provider, script, calls, socket);
    app = new BerthApp(AppConfig.parse(appSettings()), BerthTopology::build);
    worker = new Worker(WorkerConfig.parse(workerSettings(socket)));
    starting = new Thread(app::start, "starting");
  }

  private Map<String, String> appSettings() {
    Map<String, String> settings = new HashMap<>(connection.registry());
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("state.dir", directory.resolve("streams").toString());
    settings.put("standby.replicas", "0");
    settings.put("threads", "1");
    settings.put("api.listen", "127.0.0.1:0");
    return settings;
  }

  private Map<String, String> workerSettings(Path socket) {
    Map<String, String> settings = new HashMap<>(connection.registry());
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("worker.id", "w1");
    settings.put("mount.root", directory.resolve("mounts").toString());
    for (String role : List.of("controller", "node")) {
      String endpoint = "plugins." + role + ".";
      settings.put(endpoint + "endpoint", "unix://" + socket);
      settings.put(endpoint + "plugin", PLUGIN);
      settings.put(endpoint + "role", role);
      settings.put(endpoint + "node", NODE);
    }
    return settings;
  }

  /** Starts application and worker; returns before they run. */
  void start() {
    starting.start();
    worker.start();
  }

  void stopRegistry() {
    if (registry != null) {
      registry.close();
      registry = null;
    }
  }

  /** Starts it again at its address. */
  void startRegistry() {
    registry = EmbeddedRegistry.start(directory.resolve("registry"), registryPort);
  }

  void stopBroker() {
    if (broker != null) {
      broker.close();
      broker = null;
    }
  }

  /** Starts it again on its data and ports. */
  void startBroker() {
    broker = EmbeddedBroker.start(directory.resolve("broker"));
  }

  Connection connection() {
    return connection;
  }

  Registry registryClient() {
    return Registry.connect(connection.registry());
  }

  BerthApp app() {
    return app;
  }

  Worker worker() {
    return worker;
  }

  CallLog calls() {
    return calls;
  }

  @Override
  public void close() throws InterruptedException {
    if (broker == null) {
      startBroker();
    }
    worker.close();
    app.close();
    starting.join();
    driver.close();
    stopRegistry();
    stopBroker();
  }
}
