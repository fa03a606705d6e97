package dev.berth.bench.table;

import dev.berth.bench.table.Footprint.Row;
import dev.berth.bench.table.TableVolume.Kind;
import dev.berth.ops.stack.TemporaryData;
import dev.berth.records.Acceptance;
import dev.berth.records.AllocEvent;
import dev.berth.records.PluginInstance;
import dev.berth.records.Work;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.topology.BerthTopology;
import dev.berth.streams.topology.TopologyContext;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.Stores;

/**
 * One life of a volume in Berth's own topology under a test driver, to tell what it reads, writes
 * and sends for each record. Another volume lives first: what a topology does only once, such as
 * filling what it keeps in memory, is none of it.
 */
final class Rehearsal implements AutoCloseable {
  private final Topics topics;
  private final Registry registry;
  private final Kind kind;
  private final Tape tape = new Tape();
  private final TemporaryData state = TemporaryData.create("berth-bench-rehearsal", false);
  private final TopologyTestDriver driver;
  private final TestOutputTopic<String, byte[]> work;
  private final List<String> attempts = new ArrayList<>();
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

  private Rehearsal(
      Topics topics, Registry registry, String application, Policies policies, Kind kind) {
    this.topics = topics;
    this.registry = registry;
    this.kind = kind;
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
    settings.put(StreamsConfig.STATE_DIR_CONFIG, state.path().toString());
    settings.put(StreamsConfig.PROCESSOR_WRAPPER_CLASS_CONFIG, Recorder.class);
    settings.put(Recorder.TAPE, tape);
    settings.put(Recorder.TOPICS, topics);
    Topology topology = new Topology(new TopologyConfig(new StreamsConfig(settings)));
    TopologyContext context =
        new TopologyContext(topics, registry, 1, 1, Stores::inMemoryKeyValueStore);
    driver =
        new TopologyTestDriver(BerthTopology.addTo(topology, context, policies), settings, now);
    work =
        driver.createOutputTopic(
            topics.name(Topic.PLUGIN_WORK), new StringDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * Rehearses.
   *
   * @param registry where the schemas of the topics and of the changelogs are
   * @param application application whose changelogs the rows are of
   * @param policies policies of the configuration
   */
  static Footprint of(
      Topics topics, Registry registry, String application, Policies policies, Kind kind) {
    try (Rehearsal rehearsal = new Rehearsal(topics, registry, application, policies, kind)) {
      return rehearsal.footprint();
    }
  }

  private Footprint footprint() {
    put(Topic.NODES, TableVolume.NODE, Fleet.node(now));
    for (PluginInstance instance : Fleet.instances(kind, kind.plugins().get(0), now)) {
      put(Topic.PLUGINS, Fleet.key(instance), instance);
    }
    // Policies of the configuration are made known when the clocks tick for the first time.
    driver.advanceWallClockTime(Duration.ofSeconds(1));
    TableVolume first = new TableVolume(kind, 0);
    put(Topic.COMMANDS, first.key(), Events.register(first, now));
    say(first.key(), List.of(Events.claim(first, 1, now)));
    say(first.key(), Events.end(first, 1, now));

    // The same plugin again, whose rows are as they are in the middle of many lives.
    TableVolume sample = new TableVolume(kind, kind.plugins().size());
    List<Tape.Step> unused = tape.take();
    put(Topic.COMMANDS, sample.key(), Events.register(sample, now));
    List<Tape.Step> registering = tape.take();
    attempts.clear();
    say(sample.key(), List.of(Events.claim(sample, 1, now)));
    List<Tape.Step> claiming = tape.take();
    say(sample.key(), Events.end(sample, 1, now));
    List<Tape.Step> ending = tape.take();

    List<Tape.Step> held = new ArrayList<>(registering);
    held.addAll(claiming);
    List<Tape.Step> life = new ArrayList<>(claiming);
    life.addAll(ending);
    return new Footprint(
        sample,
        left(registering, sample),
        left(held, sample),
        named(life),
        SampleName.of(sample, attempts));
  }

  private void say(String key, List<AllocEvent> events) {
    for (AllocEvent event : events) {
      put(Topic.ALLOC_EVENTS, key, event);
      answer();
    }
  }

  private void answer() {
    AvroSerde<Work> serde = AvroSerde.of(registry, Work.class);
    while (!work.isEmpty()) {
      Work next =
          serde.deserializer().deserialize(topics.name(Topic.PLUGIN_WORK), work.readValue());
      attempts.add(next.getAttemptId());
      Acceptance acceptance = Answers.acceptance(next, now);
      put(Topic.WORK_ACCEPTANCES, next.getPlugin(), acceptance);
      Answers.outcomes(next, acceptance, now)
          .forEach(outcome -> put(Topic.WORK_OUTCOMES, next.getPlugin(), outcome));
    }
  }

  @SuppressWarnings("unchecked") // a serde of the record's own class
  private void put(Topic topic, String key, SpecificRecord value) {
    AvroSerde<SpecificRecord> serde =
        (AvroSerde<SpecificRecord>) AvroSerde.of(registry, value.getClass());
    driver
        .createInputTopic(topics.name(topic), new StringSerializer(), new ByteArraySerializer())
        .pipeInput(key, serde.serializer().serialize(topics.name(topic), value), now);
  }

  /** Rows of the volume alone that these steps left. */
  private static List<Row> left(List<Tape.Step> steps, TableVolume volume) {
    Map<String, Row> rows = new LinkedHashMap<>();
    for (Tape.Step step : steps) {
      for (Tape.Touch touch : step.touches()) {
        if (touch.kind() == Tape.Kind.PUT && touch.key().contains(volume.id())) {
          String place = step.processor() + " " + touch.key();
          if (touch.value() == null) {
            rows.remove(place);
          } else {
            rows.put(place, new Row(step.processor(), touch.key(), touch.value()));
          }
        }
      }
    }
    return List.copyOf(rows.values());
  }

  private Map<String, Tape.Step> named(List<Tape.Step> steps) {
    Map<String, Tape.Step> named = new LinkedHashMap<>();
    for (Tape.Step step : steps) {
      SpecificRecord record =
          AvroSerde.of(registry, step.source().record().orElseThrow())
              .deserializer()
              .deserialize(topics.name(step.source()), step.value());
      String subject = StepName.subject(record);
      String name = StepName.of(TableVolume.of(subject), subject, step.source(), record);
      if (named.put(name, step) != null) {
        throw new IllegalStateException("a life has two steps '" + name + "'");
      }
    }
    return named;
  }

  @Override
  public void close() {
    driver.close();
    state.close();
  }
}
