package dev.berth.ops.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.driver.DriverSpec;
import dev.berth.driver.SimulatedDriver;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.driver.script.Script;
import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.ops.topics.PolicyWriter;
import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.Author;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.Commands;
import dev.berth.producers.Connection;
import dev.berth.producers.NodePublisher;
import dev.berth.producers.PluginPublisher;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.records.Acceptance;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.ClaimReply;
import dev.berth.records.CommandOutcome;
import dev.berth.records.LaneStatus;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.VolumeSpec;
import dev.berth.records.Work;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Partitioning;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.app.AppConfig;
import dev.berth.streams.app.BerthApp;
import dev.berth.streams.topology.BerthTopology;
import dev.berth.workers.Worker;
import dev.berth.workers.config.WorkerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers whose groups have no offsets yet, when Streams has dispatched work for them already: they
 * begin at the end of the work topics and learn of it from the {@code lane-status} that Streams
 * writes.
 */
@DisplayName("The first worker of a route")
class FirstWorkersIT {

  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Author AUTHOR = Author.of("test");
  private static final String PLUGIN = "ebs";
  private static final String NODE = "n1";

  /** Several of each, so that what a node's worker leaves out of lane-status shows. */
  private static final Layout LAYOUT =
      new Layout(
          1,
          Map.of(
              Partitioning.VOLUME, 2,
              Partitioning.LANE, 2,
              Partitioning.PLUGIN, 5,
              Partitioning.NODE, 3,
              Partitioning.KEY, 1));

  @TempDir private Path directory;
  private final CallLog calls = CallLog.inMemory(InstantSource.system());
  private EmbeddedBroker broker;
  private EmbeddedRegistry registry;
  private Connection connection;
  private SimulatedDriver driver;
  private BerthApp app;
  private Thread starting;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    broker = EmbeddedBroker.start(directory.resolve("broker"));
    registry = EmbeddedRegistry.start(directory.resolve("registry"));
    connection = Connection.to(broker.bootstrapServers(), registry.url());
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", connection.bootstrapServers()));
        Registry client = Registry.connect(connection.registry())) {
      new Provisioning(connection.topics(), LAYOUT, admin).run(client);
    }
    driver =
        SimulatedDriver.start(
            DriverSpec.monolith(PLUGIN, "i-1"),
            Provider.inMemory(ProviderSpec.strict().withAutoCreate(Access.SINGLE_NODE)),
            Script.empty(),
            calls,
            directory.resolve("csi.sock"));
    Map<String, String> settings = new HashMap<>(connection.registry());
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("state.dir", directory.resolve("streams").toString());
    settings.put("standby.replicas", "0");
    settings.put("threads", "1");
    settings.put("api.listen", "127.0.0.1:0");
    app = new BerthApp(AppConfig.parse(settings), BerthTopology::build);
    starting = new Thread(app::start, "starting");
    starting.start();
    assertThat(app.awaitRunning(SOON)).as(app.state().text()).isTrue();
  }

  @AfterEach
  void stop() throws InterruptedException {
    app.close();
    starting.join();
    driver.close();
    registry.close();
    broker.close();
  }

  @Test
  @Timeout(value = 8, unit = TimeUnit.MINUTES)
  @DisplayName("accepts once what waits for it, of controllers and of a node")
  void acceptsWhatWaits() throws Exception {
    prepare();
    try (Scheduler scheduler = Scheduler.start(SchedulerConfig.of("dev", connection))) {
      CompletableFuture<ClaimReply> reply =
          scheduler.claim(
              ClaimRequest.write("a1", NODE, "ns", "v1", AccessMode.SINGLE_NODE_WRITER).build());
      awaitWaiting("pool");

      try (Worker controllers = worker("w1", Map.of("worker.role", "controller"))) {
        awaitWaiting("node-" + NODE);
        assertThat(controllers.waiting()).isEmpty();

        try (Worker node = worker("w2", Map.of("worker.role", "node", "worker.node", NODE))) {
          assertThat(reply.get(SOON.toSeconds(), TimeUnit.SECONDS).getOutcome())
              .isEqualTo(ReplyOutcome.GRANTED);
          assertThat(node.waiting()).isEmpty();
        }
      }
    }
    List<String> dispatched = attempts(Topic.PLUGIN_WORK);
    dispatched.addAll(attempts(Topic.NODE_WORK));
    assertThat(accepted()).containsExactlyInAnyOrderElementsOf(dispatched);
    assertThat(calls.calls())
        .extracting(call -> call.facts().rpc())
        .filteredOn(Rpc::changesState)
        .containsExactly(Rpc.CONTROLLER_PUBLISH, Rpc.NODE_STAGE, Rpc.NODE_PUBLISH);
  }

  private void prepare() throws InterruptedException {
    try (PolicyWriter policies = new PolicyWriter(connection, Clock.systemUTC())) {
      policies.set("plugin/" + PLUGIN, Map.of("node-step", "worker"), Author.of("test"));
    }
    try (NodePublisher nodes = NodePublisher.start(SchedulerConfig.of("dev", connection))) {
      nodes.publish(NODE, NodeStatus.READY, true).join();
    }
    try (PluginPublisher plugins = PluginPublisher.start(connection)) {
      plugins.publish(instance(PluginRole.CONTROLLER, "pool")).join();
      plugins.publish(instance(PluginRole.NODE, "node-" + NODE)).join();
    }
    VolumeSpec spec =
        VolumeSpec.newBuilder()
            .setNamespace("ns")
            .setVolume("v1")
            .setPlugin(PLUGIN)
            .setExternalId("ext-v1")
            .setCapabilities(
                List.of(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
            .build();
    try (Commands commands = Commands.start(connection)) {
      assertThat(commands.registerVolume(spec, AUTHOR).join().getOutcome())
          .isEqualTo(CommandOutcome.OK);
    }
  }

  /** As their worker would report them, if there were one. */
  private static PluginInstance instance(PluginRole role, String route) {
    return PluginInstance.newBuilder()
        .setPlugin(PLUGIN)
        .setNode(NODE)
        .setRole(role)
        .setHealth(PluginHealth.HEALTHY)
        .setRoute(route)
        .setAttach(role == PluginRole.CONTROLLER)
        .setStage(role == PluginRole.NODE)
        .setExternalNode(role == PluginRole.NODE ? "i-1" : null)
        .setSeenAt(Instant.now())
        .build();
  }

  private void awaitWaiting(String route) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(table().values())
                    .flatExtracting(LaneStatus::getOpen)
                    .filteredOn(open -> open.getAcceptanceId().isEmpty())
                    .extracting(open -> open.getWork().getRoute())
                    .containsOnly(route));
  }

  private Map<String, LaneStatus> table() {
    try (TopicContent content = new TopicContent(connection)) {
      return content.table(Topic.LANE_STATUS, LaneStatus.class);
    }
  }

  private List<String> attempts(Topic topic) {
    try (TopicContent content = new TopicContent(connection)) {
      List<String> attempts = new ArrayList<>();
      content.forEach(
          topic,
          Work.class,
          entry -> entry.value().ifPresent(work -> attempts.add(work.getAttemptId())));
      return attempts;
    }
  }

  private List<String> accepted() {
    try (TopicContent content = new TopicContent(connection)) {
      return content.records(Topic.WORK_ACCEPTANCES, Acceptance.class).stream()
          .flatMap(entry -> entry.value().stream())
          .map(Acceptance::getAttemptId)
          .toList();
    }
  }

  private Worker worker(String id, Map<String, String> role) {
    Map<String, String> settings = new HashMap<>(connection.registry());
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("worker.id", id);
    settings.put("mount.root", directory.resolve("mounts").toString());
    for (String service : List.of("controller", "node")) {
      String endpoint = "plugins." + service + ".";
      settings.put(endpoint + "endpoint", "unix://" + directory.resolve("csi.sock"));
      settings.put(endpoint + "plugin", PLUGIN);
      settings.put(endpoint + "role", service);
      settings.put(endpoint + "node", NODE);
    }
    settings.putAll(role);
    Worker worker = new Worker(WorkerConfig.parse(settings));
    worker.start();
    return worker;
  }
}
