package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeView;
import dev.berth.records.Signal;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.topology.ClusterAlone;
import dev.berth.streams.topology.TopologyContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The application on a real broker")
class BerthAppIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private static Path directory;
  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster = new TestCluster(directory);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"classic", "streams"})
  @DisplayName("broadcasts to every partition, leaves its group at the end, and goes on from there")
  void life(String protocol) throws Exception {
    Topics topics = new Topics("life-" + protocol);
    cluster.provision(topics);
    AppConfig config =
        cluster.config(
            topics, directory.resolve(topics.prefix()), Map.of("group.protocol", protocol));
    try (BerthApp app = new BerthApp(config, ClusterAlone::build)) {
      app.start();
      assertThat(app.awaitRunning(PATIENCE)).as(app.state().text()).isTrue();
      assertThat(get(app, "/health")).isEqualTo("200 running");
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(get(app, "/ready")).isEqualTo("200 running"));

      put(topics, NodeStatus.READY);

      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(signals(topics, Topic.VOLUME_SIGNALS)).hasSize(2);
                assertThat(signals(topics, Topic.LANE_SIGNALS)).hasSize(3);
              });
      assertThat(cluster.read(topics, Topic.VOLUME_SIGNALS, Signal.class))
          .extracting(ConsumerRecord::partition)
          .containsExactlyInAnyOrder(0, 1);
    }
    assertThat(members(topics, protocol)).isZero();

    try (BerthApp again = new BerthApp(config, ClusterAlone::build)) {
      again.start();
      put(topics, NodeStatus.DOWN);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(signals(topics, Topic.LANE_SIGNALS))
                      .filteredOn(node -> node.getStatus() == NodeStatus.DOWN)
                      .as("the node's record was remembered: its incarnation is the first")
                      .extracting(NodeView::getIncarnation)
                      .containsExactly(1L, 1L, 1L));
    }
  }

  @Test
  @DisplayName("is alive and not ready while it waits for the registry, and closes while it waits")
  void waits() throws Exception {
    Topics topics = new Topics("waits");
    AppConfig config =
        AppConfig.parse(
            Map.of(
                "api.listen", "127.0.0.1:0",
                "bootstrap.servers", "127.0.0.1:1",
                "schema.registry.url", "http://127.0.0.1:1"));
    BerthApp app = new BerthApp(config, ClusterAlone::build);
    Thread starting = new Thread(app::start, topics.prefix());
    starting.start();

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(get(app, "/ready"))
                    .isEqualTo("503 starting: waiting for the schema registry"));
    assertThat(get(app, "/health")).isEqualTo("200 starting: waiting for the schema registry");
    assertThat(get(app, "/metrics")).contains("\nberth_ready 0.0\n");
    app.close();
    starting.join(PATIENCE.toMillis());

    assertThat(starting.isAlive()).isFalse();
    assertThat(app.awaitEnd()).isEqualTo(new AppState(AppState.Phase.CLOSED, ""));
  }

  @Test
  @DisplayName("fails with a remedy when its topics are deleted under it")
  void topicsDeleted() throws Exception {
    Topics topics = new Topics("deleted");
    cluster.provision(topics);
    AppConfig config = cluster.config(topics, directory.resolve("deleted"), Map.of());
    try (BerthApp app = new BerthApp(config, ClusterAlone::build)) {
      app.start();
      assertThat(app.awaitRunning(PATIENCE)).isTrue();

      cluster.admin().deleteTopics(List.of(topics.name(Topic.NODES))).all().get();

      AppState end = app.awaitEnd();
      assertThat(end.phase()).isEqualTo(AppState.Phase.FAILED);
      assertThat(end.detail())
          .startsWith("TOPICS: ")
          .endsWith("provision the topics and start again");
      assertThat(get(app, "/health")).startsWith("503 failed: TOPICS");
      assertThat(get(app, "/ready")).startsWith("503 failed: TOPICS");
    }
  }

  @Test
  @DisplayName("is neither alive nor ready while a stream thread hangs, and both when it goes on")
  void hangs() throws Exception {
    Topics topics = new Topics("hangs");
    cluster.provision(topics);
    AppConfig config =
        cluster.config(
            topics, directory.resolve("hangs"), Map.of("kafka.max.poll.interval.ms", "4000"));
    CountDownLatch goOn = new CountDownLatch(1);
    try (BerthApp app =
        new BerthApp(config, (context, policies) -> hangingUntil(goOn, context, policies))) {
      app.start();
      assertThat(app.awaitRunning(PATIENCE)).isTrue();
      await().atMost(PATIENCE).until(() -> get(app, "/ready").equals("200 running"));

      cluster.send(List.of(new ProducerRecord<>(topics.name(Topic.ALLOC_EVENTS), new byte[] {1})));

      String hung =
          "503 running\nthread hangs-streams-.*-StreamThread-1 hangs: it has asked for no records"
              + " for \\d+ s; its stack tells where";
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(get(app, "/health")).matches(hung));
      assertThat(get(app, "/ready")).matches(hung);
      assertThat(get(app, "/metrics")).contains("\nberth_ready 0.0\n");

      goOn.countDown();
      await().atMost(PATIENCE).until(() -> get(app, "/health").equals("200 running"));
      await().atMost(PATIENCE).until(() -> get(app, "/ready").equals("200 running"));
    } finally {
      goOn.countDown();
    }
  }

  /** A topology whose thread waits within a record of {@code alloc-events}. */
  private static Topology hangingUntil(
      CountDownLatch goOn, TopologyContext context, Policies policies) {
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    return ClusterAlone.build(context, policies)
        .addSource("hanging-input", bytes, bytes, context.topics().name(Topic.ALLOC_EVENTS))
        .addProcessor(
            "hanging",
            () ->
                (Processor<byte[], byte[], Void, Void>)
                    record -> {
                      try {
                        goOn.await();
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                    },
            "hanging-input");
  }

  private static void put(Topics topics, NodeStatus status)
      throws ExecutionException, InterruptedException {
    Node node = new Node("n1", "nomad", status, true, Instant.EPOCH);
    cluster.put(topics, Topic.NODES, "n1", node, Node.class);
  }

  private static List<NodeView> signals(Topics topics, Topic topic) {
    return cluster.read(topics, topic, Signal.class).stream()
        .map(record -> record.value().getBody())
        .filter(NodeView.class::isInstance)
        .map(NodeView.class::cast)
        .toList();
  }

  private static int members(Topics topics, String protocol) throws Exception {
    String group = topics.prefix() + "-streams";
    return protocol.equals("classic")
        ? cluster
            .admin()
            .describeClassicGroups(List.of(group))
            .describedGroups()
            .get(group)
            .get()
            .members()
            .size()
        : cluster
            .admin()
            .describeStreamsGroups(List.of(group))
            .describedGroups()
            .get(group)
            .get()
            .members()
            .size();
  }

  private static String get(BerthApp app, String path) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.healthPort() + path))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body().strip();
  }
}
