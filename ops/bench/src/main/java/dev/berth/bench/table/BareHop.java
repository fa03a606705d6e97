package dev.berth.bench.table;

import dev.berth.records.LanesRow;
import dev.berth.records.VolumeClaimsRow;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Partitioning;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Berth's topology without its decisions: the same sources, stores and sinks for what a life goes
 * through. Each record is read by its serde and then followed by what a {@link Footprint} says
 * Berth does with it: the same rows are read, and rows and records of the same bytes are made by
 * their serdes, stored and sent.
 */
final class BareHop {
  private final Topics topics;
  private final Registry registry;
  private final List<Footprint> lives;
  private final String application;
  private final BooleanSupplier reading;

  /**
   * Prepares it.
   *
   * @param topics its topics
   * @param registry where the schemas are
   * @param lives what Berth does, for each kind of volume
   * @param application application whose changelogs have the schemas of the rows
   * @param reading whether rows are read too, rather than only written
   */
  BareHop(
      Topics topics,
      Registry registry,
      List<Footprint> lives,
      String application,
      BooleanSupplier reading) {
    this.topics = topics;
    this.registry = registry;
    this.lives = List.copyOf(lives);
    this.application = application;
    this.reading = reading;
  }

  /** A processor of Berth that is imitated. */
  // A list of List.of: immutable, though the checker cannot see it in its type.
  @SuppressWarnings("ImmutableEnumChecker")
  enum Part {
    /** The claims. */
    VOLUME_CLAIMS("volume-claims", VolumeClaimsRow.class, Topic.ALLOC_EVENTS, Topic.SETTLEMENTS),
    /** The lanes. */
    LANES(
        "lanes", LanesRow.class, Topic.LANE_REQUESTS, Topic.WORK_ACCEPTANCES, Topic.WORK_OUTCOMES);

    private final String store;
    private final Class<? extends SpecificRecord> row;
    private final List<Topic> sources;

    Part(String store, Class<? extends SpecificRecord> row, Topic... sources) {
      this.store = store;
      this.row = row;
      this.sources = List.of(sources);
    }

    /** Its name, which is that of its store too. */
    String store() {
      return store;
    }

    /** The partition of what is kept of a volume. */
    int partition(TableVolume volume, int partitions) {
      return Keys.partition(this == LANES ? volume.plugin() : volume.key(), partitions);
    }

    /** How the topics are spread that it reads. */
    Partitioning partitioning() {
      return sources.get(0).partitioning();
    }

    /** The part of this name; empty when it is not imitated. */
    static Optional<Part> of(String store) {
      return Arrays.stream(values()).filter(part -> part.store.equals(store)).findFirst();
    }
  }

  /** Builds it. */
  Topology build() {
    return build(Stores::persistentKeyValueStore);
  }

  /**
   * Builds it.
   *
   * @param stores makes the store of a name
   */
  Topology build(Function<String, KeyValueBytesStoreSupplier> stores) {
    Topology topology = new Topology();
    for (Part part : Part.values()) {
      add(topology, part, stores.apply(part.store));
    }
    return topology;
  }

  private void add(Topology topology, Part part, KeyValueBytesStoreSupplier store) {
    for (Topic source : part.sources) {
      topology.addSource(
          "from-" + source.suffix(),
          new StringDeserializer(),
          new ByteArrayDeserializer(),
          topics.name(source));
    }
    HopSteps steps =
        new HopSteps(topics, registry, part, lives, application + "-" + part.store + "-changelog");
    topology.addProcessor(
        part.store,
        supplier(part, steps, store),
        part.sources.stream().map(source -> "from-" + source.suffix()).toArray(String[]::new));
    for (Topic sink : sinks(part)) {
      topology.addSink(
          sink(part, sink),
          topics.name(sink),
          new StringSerializer(),
          new ByteArraySerializer(),
          partitioner(sink),
          part.store);
    }
  }

  private Set<Topic> sinks(Part part) {
    Set<Topic> sinks = new LinkedHashSet<>();
    for (Topic topic : Topic.values()) {
      boolean used =
          lives.stream()
              .flatMap(life -> life.steps().values().stream())
              .flatMap(step -> step.touches().stream())
              .anyMatch(touch -> sink(part, topic).equals(touch.sink()));
      if (used) {
        sinks.add(topic);
      }
    }
    return sinks;
  }

  private static String sink(Part part, Topic topic) {
    return part.store + "-to-" + topic.suffix();
  }

  /** By as much of the key as Berth does. */
  private static StreamPartitioner<String, byte[]> partitioner(Topic sink) {
    return new StreamPartitioner<>() {
      // Marked for removal, but still the only method that an implementation must have.
      @SuppressWarnings("removal")
      @Override
      public Optional<Set<Integer>> partitions(
          String topic, String key, byte[] value, int partitions) {
        int end =
            switch (sink.partitioning()) {
              case VOLUME -> key.indexOf('/', key.indexOf('/') + 1);
              case LANE, PLUGIN -> key.indexOf('/');
              case NODE, CLUSTER, KEY -> -1;
            };
        return Optional.of(
            Set.of(Keys.partition(end < 0 ? key : key.substring(0, end), partitions)));
      }
    };
  }

  private ProcessorSupplier<String, byte[], String, byte[]> supplier(
      Part part, HopSteps steps, KeyValueBytesStoreSupplier store) {
    return new ProcessorSupplier<>() {
      @Override
      public Processor<String, byte[], String, byte[]> get() {
        return new HopProcessor(part.store, steps, reading);
      }

      @Override
      public Set<StoreBuilder<?>> stores() {
        return Set.of(Stores.keyValueStoreBuilder(store, Serdes.String(), Serdes.ByteArray()));
      }
    };
  }

  /** Record of the rows of a part. */
  static Class<? extends SpecificRecord> row(Part part) {
    return part.row;
  }

  /** What a part reads. */
  static List<Topic> sources(Part part) {
    return part.sources;
  }
}
