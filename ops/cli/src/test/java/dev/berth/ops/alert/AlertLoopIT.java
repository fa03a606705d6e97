package dev.berth.ops.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.ops.status.CommandStatus;
import dev.berth.producers.Connection;
import dev.berth.records.ClaimState;
import dev.berth.records.CsiCall;
import dev.berth.records.Hold;
import dev.berth.records.HoldCode;
import dev.berth.records.RpcCode;
import dev.berth.records.StuckClaim;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.Topic;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The consumer of dead letters that calls a webhook")
class AlertLoopIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Instant AT = Instant.parse("2030-01-01T00:00:00Z");

  @TempDir private static Path directory;
  private static EmbeddedBroker broker;
  private static EmbeddedRegistry registry;
  private static Connection connection;
  private static HttpServer receiver;

  /** What was posted: idempotency key and body. */
  private static final List<Posted> posted = new CopyOnWriteArrayList<>();

  /** What the receiver answers next; 200 when there is nothing. */
  private static final Deque<Integer> answers = new ConcurrentLinkedDeque<>();

  private record Posted(String key, String body) {}

  @BeforeAll
  static void start() throws IOException {
    broker = EmbeddedBroker.start(directory.resolve("broker"));
    registry = EmbeddedRegistry.start(directory);
    connection = Connection.to(broker.bootstrapServers(), registry.url());
    try (Registry client = Registry.connect(connection.registry());
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      new Provisioning(connection.topics(), Layout.replicated(1), admin).run(client);
    }
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/secret-path",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          Integer answer = answers.poll();
          if (answer == null) {
            posted.add(new Posted(exchange.getRequestHeaders().getFirst("Idempotency-Key"), body));
          }
          exchange.sendResponseHeaders(answer == null ? 200 : answer, -1);
          exchange.close();
        });
    receiver.start();
  }

  @AfterAll
  static void stop() {
    receiver.stop(0);
    registry.close();
    broker.close();
  }

  @Test
  @DisplayName("tells what is stuck and how it was resolved, until it is taken, and goes on there")
  void tells() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    String key = "prod/db/alloc-1";
    answers.addAll(List.of(503, 404));
    put(key, letter("db").build());
    try (Running running = new Running(told)) {
      await().atMost(SOON).untilAsserted(() -> assertThat(posted).hasSize(1));
      put(key, letter("db").setResolved(true).setResolution("detached").build());
      put(key, null);
      await().atMost(SOON).untilAsserted(() -> assertThat(posted).hasSize(2));
      await().atMost(SOON).untilAsserted(() -> assertThat(running.counted("taken")).isEqualTo(2));
      assertThat(running.counted("refused")).isEqualTo(2);
    }

    assertThat(new ObjectMapper().readTree(posted.get(0).body()))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"text": "stuck: prod/db alloc alloc-1 on node n1: controller-error, no such disk. Ask the provider.",
                     "event": "stuck", "id": "%s", "subject": "prod/db/alloc-1",
                     "namespace": "prod", "volume": "db", "alloc": "alloc-1", "node": "n1",
                     "plugin": "ebs", "externalVolume": "vol-1", "externalNode": "i-1",
                     "state": "node-detached", "step": "controller-unpublish",
                     "code": "controller-error", "message": "no such disk", "rpcCode": "INTERNAL",
                     "attempts": 5, "firstFailureAt": "2030-01-01T00:00:00Z",
                     "lastFailureAt": "2030-01-01T00:05:00Z", "nextRetryAt": "2030-01-01T00:10:00Z",
                     "remedy": "Ask the provider.", "resolution": null,
                     "at": "2030-01-01T00:05:00Z"}
                    """
                        .formatted(posted.get(0).key())));
    JsonNode end = new ObjectMapper().readTree(posted.get(1).body());
    assertThat(List.of(end.get("text").asText(), end.get("event").asText()))
        .containsExactly("resolved: prod/db alloc alloc-1 on node n1: detached", "resolved");
    assertThat(end.get("subject").asText()).isEqualTo("prod/db/alloc-1");
    assertThat(told)
        .element(0)
        .asString()
        .startsWith("not taken, tried again in 1 s: http://127.0.0.1:")
        .endsWith(": it answers 503")
        .doesNotContain("secret-path");
    assertThat(told).element(1).asString().contains("tried again in 2 s");

    // Another process of the group, later.
    put("prod/web/alloc-2", letter("web").build());
    try (Running ignored = new Running(told)) {
      await().atMost(SOON).untilAsserted(() -> assertThat(posted).hasSize(3));
    }
    assertThat(posted.get(2).body()).contains("\"volume\":\"web\"");
    assertThat(posted).extracting(Posted::key).doesNotHaveDuplicates();
  }

  /** A loop on a thread of its own. */
  private static final class Running implements AutoCloseable {
    private final CommandStatus status = CommandStatus.unserved();
    private final AlertLoop loop;
    private final Thread thread;

    Running(List<String> told) {
      loop =
          new AlertLoop(
              connection,
              "berth.alerts",
              Webhook.at("http://127.0.0.1:" + receiver.getAddress().getPort() + "/secret-path"),
              Clock.systemUTC(),
              told::add,
              status);
      thread =
          new Thread(
              () -> {
                try {
                  loop.run();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      thread.start();
    }

    int counted(String what) {
      return (int) status.registry().get("berth.alerts." + what).counter().count();
    }

    @Override
    public void close() throws InterruptedException {
      loop.close();
      thread.join(SOON.toMillis());
      status.close();
      assertThat(thread.isAlive()).isFalse();
    }
  }

  private static StuckClaim.Builder letter(String volume) {
    return StuckClaim.newBuilder()
        .setNamespace("prod")
        .setVolume(volume)
        .setAlloc("alloc-1")
        .setNode("n1")
        .setPlugin("ebs")
        .setExternalVolume("vol-1")
        .setExternalNode("i-1")
        .setState(ClaimState.NODE_DETACHED)
        .setStep(CsiCall.CONTROLLER_UNPUBLISH)
        .setHold(
            Hold.newBuilder()
                .setCode(HoldCode.CONTROLLER_ERROR)
                .setMessage("no such disk")
                .setRpcCode(RpcCode.INTERNAL)
                .setAttempts(5)
                .setFirstFailure(AT)
                .setLastFailure(AT.plusSeconds(300))
                .setNextRetry(AT.plusSeconds(600))
                .setStuck(true)
                .build())
        .setRemedy("Ask the provider.")
        .setAt(AT.plusSeconds(300));
  }

  private static void put(String key, @Nullable StuckClaim value) throws Exception {
    String topic = connection.topics().name(Topic.STUCK_CLAIMS);
    try (Registry client = Registry.connect(connection.registry());
        KafkaProducer<String, byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new StringSerializer(),
                new ByteArraySerializer())) {
      byte[] bytes =
          value == null
              ? null
              : AvroSerde.of(client, StuckClaim.class).serializer().serialize(topic, value);
      producer.send(new ProducerRecord<>(topic, 0, key, bytes)).get();
    }
  }
}
