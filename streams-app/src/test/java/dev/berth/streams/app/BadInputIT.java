package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.records.AccessMode;
import dev.berth.records.AllocEvent;
import dev.berth.records.AttachmentMode;
import dev.berth.records.CallFate;
import dev.berth.records.Capability;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClaimRequested;
import dev.berth.records.Command;
import dev.berth.records.CommandResult;
import dev.berth.records.DetachVolume;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeView;
import dev.berth.records.Outcome;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.RegisterVolume;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.RpcCode;
import dev.berth.records.Signal;
import dev.berth.records.VolumeSpec;
import dev.berth.records.Work;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.serde.UnreadableRecordException;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.topology.BerthTopology;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of BAD-INPUT.md that go through brokers, registry and serde. */
@DisplayName("Bad input, on a real broker and registry,")
class BadInputIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Topics TOPICS = Topics.withDefaultPrefix();

  /** Volumes and plugins whose records lie in partition 0. */
  private static final String VOLUME = inPartition(0, "default/v", TestCluster.VOLUME_PARTITIONS);

  private static final String PLUGIN = inPartition(0, "csi", TestCluster.LANE_PARTITIONS);

  @TempDir private static Path directory;
  private static TestCluster cluster;
  private static Registry registry;
  private static BerthApp app;

  @BeforeAll
  static void start() throws InterruptedException {
    cluster = new TestCluster(directory);
    cluster.provision(TOPICS);
    registry = cluster.client();
    app =
        new BerthApp(
            cluster.config(TOPICS, directory.resolve("state"), Map.of()), BerthTopology::build);
    app.start();
    assertThat(app.awaitRunning(PATIENCE)).as(app.state().text()).isTrue();
  }

  @AfterAll
  static void stop() {
    app.close();
    registry.close();
    cluster.close();
  }

  @Test
  @DisplayName("among events is put aside as it came, and a claim behind it is answered at once")
  void events() throws Exception {
    byte[] claim = bytes(Topic.ALLOC_EVENTS, claim("bad"), AllocEvent.class);
    byte[] unknown = claim.clone();
    ByteBuffer.wrap(unknown).putInt(1, 4711);
    List<Bad> all =
        List.of(
            event(VOLUME, Arrays.copyOf(claim, claim.length - 3), "broken Avro"),
            event(VOLUME, unknown, "the registry has no Avro schema with id 4711"),
            event(VOLUME, null, "the value is null: berth.alloc-events has no tombstones"),
            event(null, claim, "the key is 'null' but the record is about " + VOLUME),
            event("", claim, "the key is '' but the record is about " + VOLUME),
            event(VOLUME, bytes(Topic.NODES, node("n1"), Node.class), "broken Avro"),
            // As large as the topic takes: put aside, it has headers on top.
            event(VOLUME, new byte[1_048_400], "the registry has no Avro schema with id 0"));
    for (int i = 0; i < all.size(); i++) {
      String behind = "a" + i;
      byte[] good = bytes(Topic.ALLOC_EVENTS, claim(behind), AllocEvent.class);
      cluster.send(List.of(all.get(i).record(), record(Topic.ALLOC_EVENTS, 0, VOLUME, good)));
      assertSoon(
          find(Topic.ALLOC_EVENTS, AllocEvent.class, e -> e.getAlloc().equals(behind)),
          find(Topic.CLAIM_REPLIES, ClaimReply.class, e -> e.getAlloc().equals(behind)));
    }
    assertRejected(Topic.ALLOC_EVENTS, all);
  }

  @Test
  @DisplayName(
      "among commands is put aside as it came, and a command behind it is answered at once")
  void commands() throws Exception {
    byte[] command = bytes(Topic.COMMANDS, command("bad"), Command.class);
    Bad broken =
        new Bad(record(Topic.COMMANDS, 0, VOLUME, new byte[] {0, 0, 0}), "3 bytes are too short");
    Bad misplaced =
        new Bad(
            record(Topic.COMMANDS, 1, VOLUME, command),
            "key " + VOLUME + " belongs into partition 0: use the partitioner of Kafka's Java");
    cluster.send(
        List.of(
            misplaced.record(),
            broken.record(),
            record(
                Topic.COMMANDS,
                0,
                VOLUME,
                bytes(Topic.COMMANDS, command("behind"), Command.class))));

    assertSoon(
        find(Topic.COMMANDS, Command.class, e -> e.getCommandId().equals("behind")),
        find(Topic.COMMAND_RESULTS, CommandResult.class, e -> e.getCommandId().equals("behind")));
    assertRejected(Topic.COMMANDS, List.of(misplaced, broken));
  }

  @Test
  @DisplayName("among nodes is put aside as it came, and a node behind it is announced at once")
  void nodes() throws Exception {
    byte[] node = bytes(Topic.NODES, node("n1"), Node.class);
    Bad otherKey =
        new Bad(
            record(Topic.NODES, 0, "n2", node),
            "the key is 'n2' but the record is about 'n1': key it by that");
    Bad broken =
        new Bad(record(Topic.NODES, 0, "n3", new byte[] {7, 7, 7, 7, 7, 7}), "is 7, not 0");
    cluster.send(List.of(otherKey.record(), broken.record(), record(Topic.NODES, 0, "n1", node)));

    assertSoon(
        cluster.read(TOPICS, Topic.NODES, new ByteArrayDeserializer()).stream()
            .filter(each -> each.key().equals("n1"))
            .findFirst()
            .orElseThrow(),
        find(
            Topic.VOLUME_SIGNALS,
            Signal.class,
            e -> e.getBody() instanceof NodeView view && view.getNode().equals("n1")));
    assertRejected(Topic.NODES, List.of(otherKey, broken));
  }

  @Test
  @DisplayName("among outcomes is put aside as it came, and an outcome behind it settles at once")
  void outcomes() throws Exception {
    byte[] outcome = bytes(Topic.WORK_OUTCOMES, ok(attach()), Outcome.class);
    Bad misplaced =
        new Bad(
            record(Topic.WORK_OUTCOMES, 1, PLUGIN, outcome),
            "key " + PLUGIN + " belongs into partition 0");
    Bad broken = new Bad(record(Topic.WORK_OUTCOMES, 0, PLUGIN, new byte[] {0}), "1 bytes are too");
    ProducerRecord<byte[], byte[]> good = record(Topic.WORK_OUTCOMES, 0, PLUGIN, outcome);
    cluster.send(List.of(misplaced.record(), broken.record(), good));

    ConsumerRecord<?, ?> behind =
        cluster.read(TOPICS, Topic.WORK_OUTCOMES, new ByteArrayDeserializer()).stream()
            .filter(each -> each.partition() == 0 && Arrays.equals(each.value(), outcome))
            .findFirst()
            .orElseThrow();
    assertSoon(
        behind,
        find(
            Topic.CLAIM_REPLIES,
            ClaimReply.class,
            reply -> reply.getOutcome() == ReplyOutcome.GRANTED));
    assertRejected(Topic.WORK_OUTCOMES, List.of(misplaced, broken));
  }

  /** A plugin and a volume of it, and the attach that follows from a claim. */
  private static Work attach() throws Exception {
    String volume = inPartition(0, "default/w", TestCluster.VOLUME_PARTITIONS);
    cluster.put(TOPICS, Topic.NODES, "n7", node("n7"), Node.class);
    for (PluginInstance.Builder instance :
        List.of(
            instance(PluginRole.CONTROLLER).setAttach(true),
            instance(PluginRole.NODE).setExternalNode("i-7"))) {
      String key = PLUGIN + "/" + instance.getRole().name().toLowerCase(Locale.ROOT) + "@n7";
      cluster.put(TOPICS, Topic.PLUGINS, key, instance.build(), PluginInstance.class);
    }
    Command register =
        new Command("w1", "ops", "because", Instant.EPOCH, new RegisterVolume(spec(volume)));
    cluster.put(TOPICS, Topic.COMMANDS, volume, register, Command.class);
    // Rejected until volume and plugin are known, which come by other ways.
    AtomicInteger tries = new AtomicInteger();
    return await()
        .atMost(PATIENCE)
        .pollInterval(SOON)
        .until(
            () -> {
              AllocEvent claim = claim(volume, "w" + tries.incrementAndGet(), "n7");
              cluster.put(TOPICS, Topic.ALLOC_EVENTS, volume, claim, AllocEvent.class);
              return cluster.read(TOPICS, Topic.PLUGIN_WORK, Work.class).stream()
                  .map(ConsumerRecord::value)
                  .filter(work -> work.getPlugin().equals(PLUGIN))
                  .findFirst();
            },
            Optional::isPresent)
        .orElseThrow();
  }

  private static PluginInstance.Builder instance(PluginRole role) {
    return PluginInstance.newBuilder()
        .setPlugin(PLUGIN)
        .setNode("n7")
        .setRole(role)
        .setHealth(PluginHealth.HEALTHY)
        .setSeenAt(Instant.EPOCH);
  }

  private static VolumeSpec spec(String volume) {
    return VolumeSpec.newBuilder()
        .setNamespace("default")
        .setVolume(volume.substring("default/".length()))
        .setPlugin(PLUGIN)
        .setExternalId("vol-7")
        .setCapabilities(
            List.of(new Capability(AccessMode.MULTI_NODE_READER, AttachmentMode.FILE_SYSTEM)))
        .build();
  }

  private static Outcome ok(Work work) {
    return Outcome.newBuilder()
        .setAttemptId(work.getAttemptId())
        .setAcceptanceId("x1")
        .setRequestId(work.getCalls().get(0).getRequestId())
        .setCallIndex(0)
        .setPlugin(PLUGIN)
        .setWorker("w1")
        .setFate(CallFate.ANSWERED)
        .setCode(RpcCode.OK)
        .setStartedAt(Instant.EPOCH)
        .setEndedAt(Instant.EPOCH)
        .build();
  }

  @Test
  @DisplayName("in the wrong partition is put aside, and a claim behind it is answered at once")
  void wrongPartition() throws Exception {
    Bad misplaced =
        new Bad(
            record(
                Topic.ALLOC_EVENTS,
                1,
                VOLUME,
                bytes(Topic.ALLOC_EVENTS, claim("elsewhere"), AllocEvent.class)),
            "key "
                + VOLUME
                + " belongs into partition 0: use the partitioner of Kafka's Java client");
    String other = inPartition(1, "default/v", TestCluster.VOLUME_PARTITIONS);
    byte[] good =
        bytes(Topic.ALLOC_EVENTS, claim(other, "behind-misplaced", "n1"), AllocEvent.class);
    cluster.send(List.of(misplaced.record(), record(Topic.ALLOC_EVENTS, 1, other, good)));

    assertSoon(
        find(Topic.ALLOC_EVENTS, AllocEvent.class, e -> e.getAlloc().equals("behind-misplaced")),
        find(Topic.CLAIM_REPLIES, ClaimReply.class, e -> e.getAlloc().equals("behind-misplaced")));
    assertRejected(Topic.ALLOC_EVENTS, List.of(misplaced));
  }

  @Test
  @DisplayName("larger than its topic takes is refused to its writer by the broker")
  void oversized() {
    assertThatThrownBy(
            () -> cluster.send(List.of(record(Topic.ALLOC_EVENTS, 0, VOLUME, new byte[2_000_000]))))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(RecordTooLargeException.class);
  }

  @Test
  @DisplayName("without a key on a table is refused to its writer by the broker")
  void tableWithoutKey() throws Exception {
    byte[] node = bytes(Topic.NODES, node("n1"), Node.class);

    assertThatThrownBy(() -> cluster.send(List.of(record(Topic.NODES, 0, null, node))))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InvalidRecordException.class);
  }

  /**
   * A bad record.
   *
   * @param reason what its rejection says, or a part of it
   */
  private record Bad(ProducerRecord<byte[], byte[]> record, String reason) {}

  private static void assertRejected(Topic source, List<Bad> expected) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                expected.stream()
                    .allMatch(
                        bad ->
                            rejected(source).stream()
                                .anyMatch(r -> header(r, "berth.reason").contains(bad.reason()))));
    for (Bad bad : expected) {
      assertThat(rejected(source))
          .filteredOn(each -> header(each, "berth.reason").contains(bad.reason()))
          .anySatisfy(
              each -> {
                assertThat(each.value()).isEqualTo(bad.record().value());
                assertThat(each.key())
                    .isEqualTo(
                        bad.record().key() == null
                            ? null
                            : new String(bad.record().key(), StandardCharsets.UTF_8));
                assertThat(header(each, "berth.source.partition"))
                    .isEqualTo(String.valueOf(bad.record().partition()));
                assertThat(header(each, "berth.source.offset")).matches("[0-9]+");
              });
    }
    assertThat(counted(source)).isGreaterThanOrEqualTo(expected.size());
  }

  private static List<ConsumerRecord<String, byte[]>> rejected(Topic source) {
    return cluster.read(TOPICS, Topic.REJECTED_RECORDS, new ByteArrayDeserializer()).stream()
        .filter(each -> header(each, "berth.source.topic").equals(TOPICS.name(source)))
        .toList();
  }

  private static String header(ConsumerRecord<?, ?> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private static double counted(Topic source) {
    return app.streams().metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals("rejected-total"))
        .filter(metric -> metric.metricName().tags().containsValue(TOPICS.name(source)))
        .mapToDouble(metric -> (double) metric.metricValue())
        .sum();
  }

  /** Both times are brokers' or of this machine. */
  private static void assertSoon(ConsumerRecord<?, ?> asked, ConsumerRecord<?, ?> answered) {
    assertThat(Duration.ofMillis(answered.timestamp() - asked.timestamp())).isLessThan(SOON);
  }

  private static <A extends SpecificRecord> ConsumerRecord<String, A> find(
      Topic topic, Class<A> type, Predicate<A> which) {
    return await()
        .atMost(PATIENCE)
        .until(
            () ->
                cluster.read(TOPICS, topic, BadInputIT.<A>readable(type)).stream()
                    .filter(each -> each.value() != null && which.test(each.value()))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  /** Null for what cannot be read. */
  private static <A extends SpecificRecord> Deserializer<A> readable(Class<A> type) {
    Deserializer<A> strict = AvroSerde.of(registry, type).deserializer();
    return (topic, data) -> {
      try {
        return strict.deserialize(topic, data);
      } catch (UnreadableRecordException bad) {
        return null;
      }
    };
  }

  private static Bad event(@Nullable String key, byte @Nullable [] value, String reason) {
    return new Bad(record(Topic.ALLOC_EVENTS, 0, key, value), reason);
  }

  private static ProducerRecord<byte[], byte[]> record(
      Topic topic, int partition, @Nullable String key, byte @Nullable [] value) {
    byte[] bytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(TOPICS.name(topic), partition, bytes, value);
  }

  private static <A extends SpecificRecord> byte[] bytes(Topic topic, A value, Class<A> type) {
    return AvroSerde.of(registry, type).serializer().serialize(TOPICS.name(topic), value);
  }

  private static String inPartition(int partition, String prefix, int partitions) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> prefix + i)
        .filter(key -> Keys.partition(key, partitions) == partition)
        .findFirst()
        .orElseThrow();
  }

  private static AllocEvent claim(String alloc) {
    return claim(VOLUME, alloc, "n1");
  }

  private static AllocEvent claim(String volume, String alloc, String node) {
    return AllocEvent.newBuilder()
        .setScheduler("nomad")
        .setIndex(1)
        .setNamespace("default")
        .setVolume(volume.substring("default/".length()))
        .setAlloc(alloc)
        .setAt(Instant.EPOCH)
        .setBody(
            ClaimRequested.newBuilder()
                .setRequestId("r1")
                .setNode(node)
                .setMode(ClaimMode.READ)
                .setAccess(AccessMode.MULTI_NODE_READER)
                .build())
        .build();
  }

  private static Command command(String id) {
    String volume = VOLUME.substring("default/".length());
    return new Command(
        id, "ops", "because", Instant.EPOCH, new DetachVolume("default", volume, "n1"));
  }

  private static Node node(String id) {
    return new Node(id, "nomad", NodeStatus.READY, true, Instant.EPOCH);
  }
}
