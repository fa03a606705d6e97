package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.ownership.FenceTopic;
import dev.berth.streams.topology.Changelogs;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The checks before the start, on a real broker,")
class StartupChecksIT {
  @TempDir private static Path directory;
  private static TestCluster cluster;

  private final List<String> waits = new ArrayList<>();

  @BeforeAll
  static void start() {
    cluster = new TestCluster(directory);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  @DisplayName("find the partition counts of a cluster that was provisioned")
  void provisioned() {
    Topics topics = new Topics("provisioned");
    cluster.provision(topics);

    assertThat(run(topics))
        .contains(
            new StartupChecks.Partitions(
                TestCluster.VOLUME_PARTITIONS, TestCluster.LANE_PARTITIONS));
    assertThat(waits).isEmpty();
  }

  @Test
  @DisplayName("register the changelogs so that a new version must read what an old one wrote")
  void changelogs() throws IOException, RestClientException {
    Topics topics = new Topics("changelogs");
    cluster.provision(topics);

    run(topics);
    run(topics);

    try (Registry registry = cluster.client()) {
      for (String subject : Changelogs.subjects("changelogs").keySet()) {
        assertThat(registry.client().getAllVersions(subject)).as(subject).containsExactly(1);
        assertThat(registry.client().getCompatibility(subject)).isEqualTo("BACKWARD");
      }
    }
  }

  @Test
  @DisplayName("refuse a cluster without topics, naming every one")
  void missing() {
    Topics topics = new Topics("missing");

    assertThatExceptionOfType(StartupRefusedException.class)
        .isThrownBy(() -> run(topics))
        .satisfies(
            refused ->
                assertThat(refused.problems())
                    .singleElement()
                    .asString()
                    .contains(List.of(Topic.values()).stream().map(topics::name).toList()));
  }

  @Test
  @DisplayName("refuse unequal partition counts of topics that are read together")
  void unequal() throws ExecutionException, InterruptedException {
    Topics topics = new Topics("unequal");
    cluster.provision(topics);
    String settlements = topics.name(Topic.SETTLEMENTS);
    cluster.admin().createPartitions(Map.of(settlements, NewPartitions.increaseTo(5))).all().get();

    awaitRefusal(topics, settlements + ": partitions is 5, expected 2; ");
  }

  @Test
  @DisplayName("refuse another cleanup policy than the catalogue's")
  void cleanup() throws ExecutionException, InterruptedException {
    Topics topics = new Topics("cleanup");
    cluster.provision(topics);
    String claims = topics.name(Topic.CLAIMS);
    cluster
        .admin()
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, claims),
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry("cleanup.policy", "delete"), AlterConfigOp.OpType.SET))))
        .all()
        .get();

    awaitRefusal(topics, claims + ": cleanup.policy is delete, expected compact; ");
  }

  @Test
  @DisplayName("wait for a registry that is away, and say so")
  void registryAway() {
    Topics topics = new Topics("away");
    cluster.provision(topics);
    cluster.stopRegistry();

    Optional<StartupChecks.Partitions> found =
        run(
            topics,
            time -> {
              cluster.startRegistry();
              return true;
            });

    assertThat(found).isPresent();
    assertThat(waits).containsExactly("waiting for the schema registry");
  }

  @Test
  @DisplayName("wait for brokers that go away between two questions, and say so")
  void brokersAway() {
    Topics topics = new Topics("brokers-away");
    cluster.provision(topics);
    AtomicInteger asked = new AtomicInteger();
    // The registry answers, the brokers list their topics, and then a question of theirs fails.
    Admin failing =
        (Admin)
            Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("describeFeatures") && asked.incrementAndGet() == 1) {
                    throw new TimeoutException("no broker answered");
                  }
                  return method.invoke(cluster.admin(), arguments);
                });

    try (Registry registry = cluster.client()) {
      Optional<StartupChecks.Partitions> found =
          new StartupChecks(
                  topics,
                  Changelogs.subjects(topics.prefix()),
                  new FenceTopic(topics.prefix(), 1),
                  failing,
                  registry,
                  time -> true,
                  waits::add)
              .run();

      assertThat(found).isPresent();
      assertThat(waits).containsExactly("waiting for the brokers");
    }
  }

  /** The broker that is asked may hear of a change a moment after it was made. */
  private void awaitRefusal(Topics topics, String message) {
    await()
        .untilAsserted(
            () ->
                assertThatExceptionOfType(StartupRefusedException.class)
                    .isThrownBy(() -> run(topics))
                    .withMessageStartingWith(message));
  }

  private Optional<StartupChecks.Partitions> run(Topics topics) {
    return run(topics, time -> false);
  }

  private Optional<StartupChecks.Partitions> run(Topics topics, Pause pause) {
    try (Registry registry = cluster.client()) {
      return new StartupChecks(
              topics,
              Changelogs.subjects(topics.prefix()),
              new FenceTopic(topics.prefix(), 1),
              cluster.admin(),
              registry,
              pause,
              waits::add)
          .run();
    }
  }
}
