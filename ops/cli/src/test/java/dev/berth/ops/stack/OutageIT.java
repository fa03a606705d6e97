package dev.berth.ops.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.driver.calls.Rpc;
import dev.berth.producers.Author;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.Commands;
import dev.berth.producers.NodePublisher;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.records.AccessMode;
import dev.berth.records.AllocEvent;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClaimRequested;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.NodeStatus;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.intake.HeldPartition;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Registry and broker go away and come back, under everything that depends on them. One stack for
 * all phases, in their order. {@code -Dberth.outage.seconds=60} for a longer outage of the broker.
 */
@DisplayName("An outage")
@TestMethodOrder(OrderAnnotation.class)
class OutageIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration BROKER_AWAY =
      Duration.ofSeconds(Integer.getInteger("berth.outage.seconds", 10));
  private static final Author AUTHOR = Author.of("test");

  /** Volumes of partition 0, and of the other. */
  private static final List<String> HERE = volumes(0);

  private static final List<String> ELSEWHERE = volumes(1);

  @TempDir private static Path directory;
  private static OutageStack stack;
  private static final List<AutoCloseable> clients = new ArrayList<>();
  private static Scheduler scheduler;
  private static Commands commands;

  @BeforeAll
  static void start() throws IOException {
    stack = new OutageStack(directory);
  }

  @AfterAll
  static void stop() throws Exception {
    for (AutoCloseable client : clients) {
      client.close();
    }
    stack.close();
  }

  @Test
  @Order(1)
  @DisplayName("of the registry at the start is waited for, said, and over when it is there")
  void registryAtTheStart() throws Exception {
    stack.stopRegistry();
    stack.start();

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(ready()).isEqualTo("503 starting: waiting for the schema registry");
              assertThat(stack.worker().waiting())
                  .singleElement()
                  .asString()
                  .startsWith("waiting for the schema registry: ");
            });

    stack.startRegistry();
    assertThat(stack.app().awaitRunning(PATIENCE)).as(stack.app().state().text()).isTrue();
    await().atMost(PATIENCE).until(() -> stack.worker().waiting().isEmpty());
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(ready()).isEqualTo("200 running"));
    startClients();
    assertGranted(claim("first", HERE.get(0)));
  }

  @Test
  @Order(2)
  @DisplayName("of the registry keeps only those partitions waiting whose schema nobody can tell")
  void registryWhileRunning() throws Exception {
    int newer = newerSchema();
    stack.stopRegistry();
    assertGranted(claim("known", HERE.get(1)));

    byte[] unknown = event("unknown", HERE.get(2));
    ByteBuffer.wrap(unknown).putInt(1, newer);
    byte[] nobodys = event("nobodys", HERE.get(3));
    ByteBuffer.wrap(nobodys).putInt(1, 999_999);
    send(HERE.get(2), unknown);
    send(HERE.get(3), nobodys);
    CompletableFuture<ClaimReply> behind = claim("behind", HERE.get(4));
    CompletableFuture<ClaimReply> elsewhere = claim("elsewhere", ELSEWHERE.get(0));

    await().atMost(PATIENCE).until(() -> !stack.app().waiting().isEmpty());
    assertGranted(elsewhere);
    assertThat(commands.retry("default", HERE.get(4), Optional.empty(), AUTHOR))
        .as("another topic of the same partition goes on")
        .succeedsWithin(PATIENCE);
    TopicPartition waiting =
        new TopicPartition(stack.connection().topics().name(Topic.ALLOC_EVENTS), 0);
    assertThat(stack.app().waiting())
        .extracting(HeldPartition::partition, HeldPartition::schema)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(waiting, newer));
    assertThat(ready())
        .startsWith("200 running\n" + waiting + " waits at offset ")
        .contains("schema id " + newer + " is not known here, and the registry gives no answer");
    assertThat(behind).isNotDone();
    assertThat(rejected()).isEmpty();

    stack.startRegistry();

    assertGranted(behind);
    await().atMost(PATIENCE).until(() -> calls(HERE.get(2)) == 1);
    await().atMost(PATIENCE).until(() -> rejected().size() == 1);
    assertThat(rejected().get(0).value()).isEqualTo(nobodys);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(ready()).isEqualTo("200 running"));
  }

  @Test
  @Order(3)
  @DisplayName("of the broker loses nothing and has nothing called twice")
  void broker() {
    List<CompletableFuture<ClaimReply>> claims = new ArrayList<>();
    List<String> volumes = HERE.subList(5, 10);
    for (String volume : volumes) {
      claims.add(claim("before-" + volume, volume));
    }
    // In the middle of them: one call is open, others wait.
    await().atMost(PATIENCE).until(() -> calls(volumes.get(0)) == 1);
    stack.stopBroker();
    List<String> during = ELSEWHERE.subList(5, 8);
    for (String volume : during) {
      claims.add(claim("during-" + volume, volume));
    }
    await().pollDelay(BROKER_AWAY).atMost(BROKER_AWAY.plusSeconds(30)).until(() -> true);

    stack.startBroker();

    claims.forEach(OutageIT::assertGranted);
    for (String volume : volumes) {
      assertThat(calls(volume)).as(volume).isEqualTo(1);
    }
    for (String volume : during) {
      assertThat(calls(volume)).as(volume).isEqualTo(1);
    }
    assertThat(stack.app().state().running()).isTrue();
    assertThat(stack.worker().isHealthy()).isTrue();
    assertThat(rejected()).hasSize(1);
  }

  private static void startClients() {
    NodePublisher nodes = NodePublisher.start(SchedulerConfig.of("nomad", stack.connection()));
    clients.add(nodes);
    assertThat(nodes.publish(OutageStack.NODE, NodeStatus.READY, true)).succeedsWithin(PATIENCE);
    commands = Commands.start(stack.connection());
    clients.add(commands);
    scheduler = Scheduler.start(SchedulerConfig.of("nomad", stack.connection()));
    clients.add(scheduler);
    List<CompletableFuture<CommandResult>> registered = new ArrayList<>();
    HERE.forEach(volume -> registered.add(commands.registerVolume(spec(volume), AUTHOR)));
    ELSEWHERE.forEach(volume -> registered.add(commands.registerVolume(spec(volume), AUTHOR)));
    for (CompletableFuture<CommandResult> each : registered) {
      assertThat(each)
          .succeedsWithin(PATIENCE)
          .extracting(CommandResult::getOutcome)
          .isEqualTo(CommandOutcome.OK);
    }
  }

  private static CompletableFuture<ClaimReply> claim(String alloc, String volume) {
    return scheduler.claim(
        ClaimRequest.write(
                alloc, OutageStack.NODE, "default", volume, AccessMode.SINGLE_NODE_WRITER)
            .build());
  }

  private static void assertGranted(CompletableFuture<ClaimReply> claim) {
    assertThat(claim)
        .succeedsWithin(PATIENCE)
        .extracting(ClaimReply::getOutcome)
        .isEqualTo(ReplyOutcome.GRANTED);
  }

  private static long calls(String volume) {
    return stack.calls().calls(Rpc.CONTROLLER_PUBLISH).stream()
        .filter(call -> call.facts().volume().equals("vol-" + volume))
        .count();
  }

  private static String ready() throws IOException, InterruptedException {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + stack.app().healthPort() + "/ready"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body().strip();
  }

  /** Registers what a newer scheduler would write, which nobody here has met. */
  private static int newerSchema() {
    String json = AllocEvent.getClassSchema().toString();
    // A property of its own makes it another schema with the same bytes.
    Schema schema = new Schema.Parser().parse(json);
    schema.addProp("version", "next");
    try (Registry registry = stack.registryClient()) {
      return registry.idFor("newer-value", schema);
    }
  }

  private static byte[] event(String alloc, String volume) {
    AllocEvent event =
        AllocEvent.newBuilder()
            .setScheduler("other")
            .setIndex(1)
            .setNamespace("default")
            .setVolume(volume)
            .setAlloc(alloc)
            .setAt(Instant.EPOCH)
            .setBody(
                ClaimRequested.newBuilder()
                    .setRequestId("r1")
                    .setNode(OutageStack.NODE)
                    .setMode(ClaimMode.WRITE)
                    .setAccess(AccessMode.SINGLE_NODE_WRITER)
                    .build())
            .build();
    try (Registry mock = Registry.connect(Map.of("schema.registry.url", "mock://outage"))) {
      return AvroSerde.of(mock, AllocEvent.class).serializer().serialize("any", event);
    }
  }

  private static void send(String volume, byte[] value) throws Exception {
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(client(), new StringSerializer(), new ByteArraySerializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  stack.connection().topics().name(Topic.ALLOC_EVENTS),
                  Keys.volume("default", volume),
                  value))
          .get();
    }
  }

  private static List<ConsumerRecord<String, byte[]>> rejected() {
    TopicPartition partition =
        new TopicPartition(stack.connection().topics().name(Topic.REJECTED_RECORDS), 0);
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(client(), new StringDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
      return records;
    }
  }

  private static Map<String, Object> client() {
    return Map.of(
        "bootstrap.servers",
        stack.connection().bootstrapServers(),
        "isolation.level",
        "read_committed");
  }

  private static VolumeSpec spec(String volume) {
    return VolumeSpec.newBuilder()
        .setNamespace("default")
        .setVolume(volume)
        .setPlugin(OutageStack.PLUGIN)
        .setExternalId("vol-" + volume)
        .setCapabilities(
            List.of(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
        .build();
  }

  private static List<String> volumes(int partition) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "v" + i)
        .filter(
            volume ->
                Keys.partition(Keys.volume("default", volume), OutageStack.VOLUME_PARTITIONS)
                    == partition)
        .limit(10)
        .toList();
  }
}
