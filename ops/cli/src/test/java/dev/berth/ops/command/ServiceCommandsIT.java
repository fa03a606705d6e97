package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.driver.DriverSpec;
import dev.berth.driver.SimulatedDriver;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.driver.script.Script;
import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 6, unit = TimeUnit.MINUTES)
class ServiceCommandsIT {

  private static final Duration TO_START = Duration.ofMinutes(2);

  @TempDir private Path temp;
  private EmbeddedBroker broker;
  private EmbeddedRegistry registry;
  private SimulatedDriver driver;

  @BeforeEach
  void start() throws IOException {
    broker = EmbeddedBroker.start(temp.resolve("broker"));
    registry = EmbeddedRegistry.start(temp.resolve("registry"));
    driver = driver(temp.resolve("csi.sock"));
  }

  @AfterEach
  void stop() {
    driver.close();
    registry.close();
    broker.close();
  }

  @Test
  @DisplayName("application and worker run as processes until they are asked to end, and exit 0")
  void run() throws Exception {
    provision();
    Path socket = temp.resolve("csi.sock");
    Path streams =
        file(
            "streams.properties",
            "state.dir=" + temp.resolve("state"),
            "standby.replicas=0",
            "api.listen=127.0.0.1:0");
    Path cluster =
        file(
            "cluster.properties",
            "mount.root=" + temp.resolve("mounts"),
            "plugins.c.endpoint=unix://" + socket,
            "plugins.c.plugin=ebs",
            "plugins.c.role=controller",
            "plugins.c.node=n1",
            "plugins.n.endpoint=unix://" + socket,
            "plugins.n.plugin=ebs",
            "plugins.n.role=node",
            "plugins.n.node=n1");
    try (BerthProcess app = berth("streams", "--config", streams.toString());
        BerthProcess controllers =
            berth(
                "worker",
                "controller",
                "--plugin",
                "ebs",
                "--config",
                cluster.toString(),
                "--set",
                "worker.id=w1");
        BerthProcess node =
            berth(
                "worker",
                "node",
                "--node",
                "n1",
                "--config",
                cluster.toString(),
                "--set",
                "worker.id=w2",
                "--set",
                "health.port=0")) {
      awaitPrinted(app, "state=running");
      awaitPrinted(controllers, "plugin=ebs node=n1 role=CONTROLLER health=HEALTHY");
      awaitPrinted(node, "plugin=ebs node=n1 role=NODE health=HEALTHY");
      assertThat(node.printed()).contains("health=http://127.0.0.1:").doesNotContain("CONTROLLER");

      for (BerthProcess process : List.of(node, controllers, app)) {
        assertThat(process.stop()).isEqualTo(ExitCode.OK);
        assertThat(process.printed()).endsWith("Stopped.\n");
      }
    }
  }

  @Test
  @DisplayName("an application that this cluster is not made for says why and exits 2")
  void refused() throws Exception {
    Path streams =
        file("streams.properties", "state.dir=" + temp.resolve("state"), "api.listen=127.0.0.1:0");
    provision();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.deleteTopics(List.of("berth.claims")).all().get();
    }
    try (BerthProcess app = berth("streams", "--config", streams.toString())) {
      assertThat(app.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(app.printed()).contains("berth streams: ").contains("berth.claims");
    }
  }

  private void provision() {
    String url = registry.url();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
        Registry client = Registry.connect(Map.of("schema.registry.url", url))) {
      new Provisioning(Topics.withDefaultPrefix(), Layout.replicated(1), admin).run(client);
    }
  }

  private static SimulatedDriver driver(Path socket) throws IOException {
    return SimulatedDriver.start(
        DriverSpec.monolith("ebs", "i-1"),
        Provider.inMemory(ProviderSpec.strict()),
        Script.empty(),
        CallLog.inMemory(InstantSource.system()),
        socket);
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.writeString(
        temp.resolve(name),
        "bootstrap.servers=%s%nschema.registry.url=%s%n%s%n"
            .formatted(broker.bootstrapServers(), registry.url(), String.join("\n", lines)));
  }

  private BerthProcess berth(String... command) {
    String name = String.join("-", command).replaceAll("[^a-z0-9-]", "");
    return BerthProcess.run(temp.resolve(name + ".out"), List.of(command));
  }

  private static void awaitPrinted(BerthProcess process, String text) {
    await()
        .atMost(TO_START)
        .until(
            () -> {
              assertThat(process.isAlive()).as(process.printed()).isTrue();
              return process.printed().contains(text);
            });
  }
}
