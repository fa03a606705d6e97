package dev.berth.streams.topology;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.kernel.State;
import dev.berth.streams.lanes.LaneTables;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** A topology in virtual time, fed and read by the catalogue's topics. */
final class TopologyBench implements AutoCloseable {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private static final String APPLICATION = "bench";

  private final TopologyContext context =
      new TopologyContext(
          Topics.withDefaultPrefix(),
          Registry.over(new MockSchemaRegistryClient()),
          1,
          1,
          Stores::inMemoryKeyValueStore);
  private final TopologyTestDriver driver;

  TopologyBench(BiConsumer<Topology, TopologyContext> parts) {
    Topology topology = new Topology();
    parts.accept(topology, context);
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    // Not the default, which test runs at the same time would share.
    settings.put(
        StreamsConfig.STATE_DIR_CONFIG,
        System.getProperty("java.io.tmpdir") + "/berth-bench-" + ProcessHandle.current().pid());
    driver = new TopologyTestDriver(topology, settings, START);
  }

  void put(Topic topic, @Nullable String key, SpecificRecord value) {
    putBytes(topic, key, serialize(topic, value));
  }

  /** Puts a record that was written at a time. */
  void put(Topic topic, @Nullable String key, SpecificRecord value, Instant at) {
    driver
        .createInputTopic(
            context.topics().name(topic), new StringSerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>(key, serialize(topic, value), at));
  }

  void putBytes(Topic topic, @Nullable String key, byte @Nullable [] value) {
    putBytes(topic, key, value, new RecordHeaders());
  }

  void putBytes(Topic topic, @Nullable String key, byte @Nullable [] value, Headers headers) {
    driver
        .createInputTopic(
            context.topics().name(topic), new StringSerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>(key, value, headers));
  }

  /** All metrics. */
  Map<MetricName, ? extends Metric> metrics() {
    return driver.metrics();
  }

  /** What a counter of {@link Counts} says now. */
  double counted(String what, Topic topic) {
    return driver.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals(what + "-total"))
        .filter(metric -> metric.metricName().tags().containsValue(context.topics().name(topic)))
        .mapToDouble(metric -> (double) metric.metricValue())
        .sum();
  }

  /** What a metric says now, by the values of two of its tags. */
  double metric(String name, String tag, String value, String other, String otherValue) {
    return driver.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals(name))
        .filter(metric -> value.equals(metric.metricName().tags().get(tag)))
        .filter(metric -> otherValue.equals(metric.metricName().tags().get(other)))
        .mapToDouble(metric -> (double) metric.metricValue())
        .sum();
  }

  Registry registry() {
    return context.registry();
  }

  /** The name of a topic on the cluster. */
  String name(Topic topic) {
    return context.topics().name(topic);
  }

  /** Reads every row of every store, as a restart would. */
  void readAll() {
    State claims =
        StoredClaims.in(driver.getKeyValueStore(StoredClaims.STORE), context, APPLICATION).state();
    ClaimTables.ALL.forEach(table -> claims.scan(table, ""));
    State lanes = StoredLanes.in(driver.getKeyValueStore(StoredLanes.STORE), context, APPLICATION);
    LaneTables.all().forEach(table -> lanes.scan(table, ""));
    for (State copy : List.of(claims, lanes)) {
      ClusterTables.policies(copy);
      copy.scan(ClusterTables.NODES, "");
      copy.scan(ClusterTables.INSTANCES, "");
      copy.scan(ClusterTables.PLUGINS, "");
    }
  }

  <A extends SpecificRecord> List<TestRecord<String, A>> read(Topic topic, Class<A> type) {
    return driver
        .createOutputTopic(
            context.topics().name(topic),
            new StringDeserializer(),
            AvroSerde.of(context.registry(), type).deserializer())
        .readRecordsToList();
  }

  List<TestRecord<String, byte[]>> readBytes(Topic topic) {
    return driver
        .createOutputTopic(
            context.topics().name(topic), new StringDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  void pass(Duration time) {
    driver.advanceWallClockTime(time);
  }

  /** Headers as texts. */
  static Map<String, String> headers(TestRecord<?, ?> record) {
    Map<String, String> texts = new TreeMap<>();
    for (Header header : record.headers()) {
      texts.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
    }
    return texts;
  }

  @SuppressWarnings("unchecked") // a serde of the record's own class
  byte[] serialize(Topic topic, SpecificRecord value) {
    AvroSerde<SpecificRecord> serde =
        (AvroSerde<SpecificRecord>) AvroSerde.of(context.registry(), value.getClass());
    return serde.serializer().serialize(context.topics().name(topic), value);
  }

  @Override
  public void close() {
    driver.close();
  }
}
