package dev.berth.ops.scenario;

import dev.berth.records.PluginInstance;
import dev.berth.records.SecretsFound;
import dev.berth.records.Work;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Party;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.claims.Attachment;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import dev.berth.streams.lanes.Forecast;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.topology.BerthTopology;
import dev.berth.streams.topology.StoredClaims;
import dev.berth.streams.topology.StoredLanes;
import dev.berth.streams.topology.TopologyContext;
import dev.berth.workers.call.CallResult;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/**
 * The world of a scenario: the real topology under a test driver, workers with a scripted plugin,
 * and a clock that only steps move. After each input it runs until nothing more can happen without
 * new input, an answer, or time.
 */
final class VirtualWorld implements World {
  /**
   * A multiple of every collection interval in use, so that collections fall where a file expects
   * them.
   */
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

  private static final String APPLICATION = "scenario";

  /** Processors look at what is due once a second. */
  private static final Duration TICK = Duration.ofSeconds(1);

  private static final Set<Party> PROCESSORS =
      Set.of(Party.VOLUME_CLAIMS, Party.LANES, Party.CLUSTER);

  /** In the order in which workers look at them. */
  private static final List<Topic> WORK = List.of(Topic.PLUGIN_WORK, Topic.NODE_WORK);

  private static final List<String> STORES_WITH_DUE_TIMES = List.of("volume-claims", "lanes");

  private final Topics topics = Topics.withDefaultPrefix();
  private final Registry registry = Registry.over(new MockSchemaRegistryClient());
  private final TopologyContext context =
      new TopologyContext(topics, registry, 1, 1, Stores::inMemoryKeyValueStore);
  private final List<Happened> story = new ArrayList<>();
  private final Map<Topic, List<Seen>> seen = new EnumMap<>(Topic.class);
  private final Map<Topic, List<Work>> unpolled = new EnumMap<>(Topic.class);
  private final Trace trace = new Trace(BEGIN, this::now);
  private final SimulatedWorker worker;
  private final ScriptedPlugin plugin = new ScriptedPlugin();
  private final Map<Topic, AvroSerde<SpecificRecord>> serdes = new EnumMap<>(Topic.class);
  private final Map<Topic, TestOutputTopic<String, byte[]>> outputs = new EnumMap<>(Topic.class);
  private final Map<Topic, TestInputTopic<String, byte[]>> inputs = new EnumMap<>(Topic.class);
  private final LogLines logged = LogLines.ofThread();
  private final Path directory;
  private TopologyTestDriver driver;
  private Instant now = BEGIN;

  VirtualWorld(boolean manual) {
    try {
      directory = Files.createTempDirectory("berth-scenario");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    driver = start();
    worker =
        new SimulatedWorker(
            plugin,
            manual,
            trace,
            story::add,
            acceptance -> write(Topic.WORK_ACCEPTANCES, acceptance.getPlugin(), acceptance),
            outcome -> write(Topic.WORK_OUTCOMES, outcome.getPlugin(), outcome),
            (id, references) ->
                write(Topic.SECRETS_FOUND, id, new SecretsFound(id, references, "worker", now())));
  }

  private TopologyTestDriver start() {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
    settings.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
    return new TopologyTestDriver(BerthTopology.build(context, Policies.DEFAULTS), settings, now);
  }

  @Override
  public Instant begin() {
    return BEGIN;
  }

  @Override
  public Instant now() {
    return now;
  }

  // ---- plugins

  @Override
  public List<Rpc> made() {
    return worker.made();
  }

  @Override
  public List<Rpc> open() {
    return worker.open();
  }

  @Override
  public void script(Value.Fields script) {
    plugin.add(script);
  }

  @Override
  public void answer(Rpc rpc, PluginAnswer answer) {
    worker.end(
        rpc,
        answer.neverArrived()
            ? new CallResult.Unreached(answer.message())
            : new CallResult.Answered(answer.code(), answer.message(), answer.context()),
        now);
  }

  @Override
  public void instance(String key, PluginInstance instance) {
    write(Topic.PLUGINS, key, instance);
  }

  @Override
  public String secretReference(String name) {
    return "${scenario:" + name + "}";
  }

  @Override
  public void secret(String name, @Nullable String value) {
    worker.secret(name, value, now());
  }

  @Override
  public Trace trace() {
    return trace;
  }

  /** What the processors wrote to a topic, in order. */
  @Override
  public List<Seen> seen(Topic topic) {
    return seen.computeIfAbsent(topic, unused -> new ArrayList<>());
  }

  @Override
  public List<Happened> story() {
    return story;
  }

  @Override
  public Stream<String> logged() {
    return logged.all();
  }

  @Override
  public Stream<String> metrics() {
    return driver.metrics().values().stream()
        .map(
            metric ->
                metric.metricName().name()
                    + " "
                    + metric.metricName().tags()
                    + " "
                    + metric.metricName().description()
                    + " "
                    + metric.metricValue());
  }

  // ---- input

  @Override
  public void write(Topic topic, String key, @Nullable SpecificRecord value) {
    byte[] bytes = value == null ? null : serialize(topic, value);
    writeBytes(topic, key, bytes);
  }

  @Override
  public void writeBytes(Topic topic, String key, byte @Nullable [] bytes) {
    Seen record = seen(topic, key, bytes);
    story.add(new Happened.Written(record));
    trace.came(record);
    if (Collections.disjoint(topic.readers(), PROCESSORS)) {
      return;
    }
    inputs
        .computeIfAbsent(
            topic,
            of ->
                driver.createInputTopic(
                    topics.name(of), new StringSerializer(), new ByteArraySerializer()))
        .pipeInput(new TestRecord<>(key, bytes, null, now));
    drain(false);
  }

  private byte[] serialize(Topic topic, SpecificRecord value) {
    return serde(topic).serializer().serialize(topics.name(topic), value);
  }

  @SuppressWarnings("unchecked")
  private AvroSerde<SpecificRecord> serde(Topic topic) {
    return serdes.computeIfAbsent(
        topic, of -> AvroSerde.of(registry, (Class<SpecificRecord>) of.record().orElseThrow()));
  }

  // ---- running

  /** Runs until nothing more can happen now. */
  @Override
  public void settle() {
    driver.advanceWallClockTime(Duration.ZERO);
    drain(true);
    do {
      poll();
    } while (worker.answerDue(now));
  }

  /** Moves the clock, firing what falls due in order. */
  @Override
  public void advance(Duration by) {
    Instant end = now.plus(by);
    while (now.isBefore(end)) {
      Instant next = nextTime(end);
      driver.advanceWallClockTime(Duration.between(now, next));
      now = next;
      drain(true);
      settle();
    }
  }

  /**
   * The next time at which something can happen: a due time of a processor, on its next tick; a
   * call that ends; or the next whole minute, at which collections run. The seconds between are
   * skipped: nothing is due in them.
   */
  private Instant nextTime(Instant end) {
    Instant next = earlier(end, now.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES));
    next = earlier(next, worker.nextEnd());
    for (String owner : STORES_WITH_DUE_TIMES) {
      String table = owner.equals("lanes") ? "due/" : "volumes-due/";
      KeyValueStore<String, byte[]> store = driver.getKeyValueStore(owner);
      try (KeyValueIterator<String, byte[]> due = store.prefixScan(table, new StringSerializer())) {
        if (due.hasNext()) {
          String key = due.next().key.substring(table.length());
          next =
              earlier(
                  next,
                  onTick(Instant.ofEpochMilli(Long.parseLong(key.substring(0, key.indexOf('/'))))));
        }
      }
    }
    return next;
  }

  /** The first tick at or after a time, and after now. */
  private Instant onTick(Instant at) {
    Instant from = at.isAfter(now) ? at : now.plusMillis(1);
    long ticks = -Math.floorDiv(-Duration.between(BEGIN, from).toMillis(), TICK.toMillis());
    return BEGIN.plus(TICK.multipliedBy(ticks));
  }

  private Instant earlier(Instant one, @Nullable Instant other) {
    return other != null && other.isAfter(now) && other.isBefore(one) ? other : one;
  }

  /** Takes what the processors wrote since the last input, which caused it. */
  private void drain(boolean byTime) {
    List<Seen> fresh = new ArrayList<>();
    Set<String> written = driver.producedTopicNames();
    for (Topic topic : Topic.values()) {
      if (!written.contains(topics.name(topic))) {
        continue;
      }
      TestOutputTopic<String, byte[]> output = outputs.computeIfAbsent(topic, this::output);
      while (!output.isEmpty()) {
        TestRecord<String, byte[]> record = output.readRecord();
        Seen read = seen(topic, record.key(), record.value());
        seen(topic).add(read);
        story.add(new Happened.Written(read));
        fresh.add(read);
        if (WORK.contains(topic) && read.value() instanceof Work work) {
          unpolled.computeIfAbsent(topic, unused -> new ArrayList<>()).add(work);
        }
      }
    }
    trace.went(fresh, byTime);
  }

  /** Workers take what there is for them, and what follows from that. */
  private void poll() {
    while (!unpolled.isEmpty()) {
      for (Topic topic : WORK) {
        List<Work> works = unpolled.remove(topic);
        if (works != null) {
          works.forEach(work -> worker.poll(work, topics.name(topic), now));
        }
      }
    }
  }

  private Seen seen(Topic topic, @Nullable String key, byte @Nullable [] bytes) {
    return new Seen(now, topic, key, bytes, () -> bytes == null ? null : value(topic, bytes));
  }

  private TestOutputTopic<String, byte[]> output(Topic topic) {
    return driver.createOutputTopic(
        topics.name(topic), new StringDeserializer(), new ByteArrayDeserializer());
  }

  private @Nullable SpecificRecord value(Topic topic, byte[] bytes) {
    return topic.record().isEmpty()
        ? null
        : serde(topic).deserializer().deserialize(topics.name(topic), bytes);
  }

  // ---- crashes

  @Override
  public void rebalance(String plugin) {
    worker.rebalance(plugin);
  }

  @Override
  public void crashWorkers() {
    worker.crash(now);
  }

  /** The Streams application crashes and starts again on what its changelogs hold. */
  @Override
  public void restartStreams() {
    trace.step("the Streams application crashes and starts again");
    Map<String, List<KeyValue<Object, Object>>> stored = new LinkedHashMap<>();
    driver.getAllStateStores().keySet().forEach(name -> stored.put(name, entries(name)));
    driver.close();
    driver = start();
    inputs.clear();
    outputs.clear();
    stored.forEach(
        (name, entries) -> {
          KeyValueStore<Object, Object> store = driver.getKeyValueStore(name);
          entries.forEach(entry -> store.put(entry.key, entry.value));
        });
  }

  private List<KeyValue<Object, Object>> entries(String name) {
    List<KeyValue<Object, Object>> entries = new ArrayList<>();
    KeyValueStore<Object, Object> store = driver.getKeyValueStore(name);
    try (KeyValueIterator<Object, Object> all = store.all()) {
      all.forEachRemaining(entries::add);
    }
    return entries;
  }

  /** The claims' rows of a table by key, in key order. */
  @Override
  public <V> Map<String, V> rows(Table<V> table) {
    Map<String, V> values = new LinkedHashMap<>();
    claims().state().scan(table, "").forEach(row -> values.put(row.key(), row.value()));
    return values;
  }

  /** One row of the claims; null when there is none. */
  @Override
  public <V> @Nullable V row(Table<V> table, String key) {
    return claims().state().get(table, key);
  }

  /** Puts a row behind the back of the deciders. */
  @Override
  public <V> void edit(Table<V> table, String key, V value) {
    trace.step("the stored row of " + key + " is edited");
    claims().put(table, key, value);
  }

  private StoredClaims claims() {
    return StoredClaims.in(driver.getKeyValueStore(StoredClaims.STORE), context, APPLICATION);
  }

  /** The time Berth predicts until the present step of an alloc's claims is done. */
  @Override
  public Optional<Duration> eta(String alloc) {
    State lanes = StoredLanes.in(driver.getKeyValueStore(StoredLanes.STORE), context, APPLICATION);
    Policies policies = ClusterTables.policies(lanes);
    Map<String, Attachment> attachments = rows(ClaimTables.ATTACHMENTS);
    return rows(ClaimTables.CLAIMS).values().stream()
        .filter(claim -> claim.alloc().equals(alloc))
        .map(
            claim -> {
              Attachment attachment = attachments.get(claim.key().of(claim.node()));
              return claim.request() != null || attachment == null
                  ? claim.request()
                  : attachment.request();
            })
        .filter(Objects::nonNull)
        .flatMap(request -> Forecast.untilDone(lanes, request, now(), policies).stream())
        .max(Duration::compareTo);
  }

  @Override
  public void close() {
    driver.close();
    logged.close();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
