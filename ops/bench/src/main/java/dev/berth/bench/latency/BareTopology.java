package dev.berth.bench.latency;

import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The least that events need to become work: two exactly-once hops over the topics of Berth, with a
 * store and its changelog each, and the same asking for commits. Nothing is decided: each record is
 * stored and handed on as it is.
 */
final class BareTopology {
  private BareTopology() {}

  /**
   * Builds it.
   *
   * @param topics the topics
   * @param laneOf the plugin that the volume of a key belongs to
   */
  static Topology build(Topics topics, UnaryOperator<String> laneOf) {
    Topology topology = new Topology();
    hop(topology, topics, Topic.ALLOC_EVENTS, Topic.LANE_REQUESTS, "claims", laneOf);
    hop(topology, topics, Topic.LANE_REQUESTS, Topic.PLUGIN_WORK, "lanes", plugin -> plugin);
    return topology;
  }

  private static void hop(
      Topology topology,
      Topics topics,
      Topic from,
      Topic to,
      String name,
      UnaryOperator<String> keyOf) {
    String source = "from-" + from;
    var keys = Serdes.String();
    var values = Serdes.ByteArray();
    topology
        .addSource(source, keys.deserializer(), values.deserializer(), topics.name(from))
        .addProcessor(name, supplier(name, keyOf), source)
        .addSink("to-" + to, topics.name(to), keys.serializer(), values.serializer(), name);
  }

  private static ProcessorSupplier<String, byte[], String, byte[]> supplier(
      String store, UnaryOperator<String> keyOf) {
    return new ProcessorSupplier<>() {
      @Override
      public Processor<String, byte[], String, byte[]> get() {
        return new Hop(store, keyOf);
      }

      @Override
      public Set<StoreBuilder<?>> stores() {
        return Set.of(
            Stores.keyValueStoreBuilder(
                    Stores.persistentKeyValueStore(store), Serdes.String(), Serdes.ByteArray())
                .withLoggingEnabled(Map.of()));
      }
    };
  }

  private static final class Hop implements Processor<String, byte[], String, byte[]> {
    private final String name;
    private final UnaryOperator<String> keyOf;
    private @org.jspecify.annotations.Nullable ProcessorContext<String, byte[]> context;
    private @org.jspecify.annotations.Nullable KeyValueStore<String, byte[]> store;

    Hop(String name, UnaryOperator<String> keyOf) {
      this.name = name;
      this.keyOf = keyOf;
    }

    @Override
    public void init(ProcessorContext<String, byte[]> given) {
      context = given;
      store = given.getStateStore(name);
    }

    @Override
    public void process(Record<String, byte[]> record) {
      ProcessorContext<String, byte[]> to = Objects.requireNonNull(context);
      Objects.requireNonNull(store).put(record.key(), record.value());
      to.forward(record.withKey(keyOf.apply(record.key())));
    }
  }
}
