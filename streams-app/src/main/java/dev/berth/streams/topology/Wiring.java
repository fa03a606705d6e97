package dev.berth.streams.topology;

import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** Sources and sinks of topics of the catalogue, under their fixed names. */
final class Wiring {
  private final Topology topology;
  private final TopologyContext context;

  Wiring(Topology topology, TopologyContext context) {
    this.topology = topology;
    this.context = context;
  }

  /** Name of the source node of a topic. Fixed. */
  static String source(Topic topic) {
    return "from-" + topic.suffix();
  }

  /** Adds the source of a topic; it hands over bytes, see {@link Incoming}. */
  Wiring from(Topic topic) {
    topology.addSource(
        source(topic),
        new StringDeserializer(),
        new ByteArrayDeserializer(),
        context.topics().name(topic));
    return this;
  }

  /** Adds the sink through which a processor writes to a topic, by the key's partition. */
  Wiring to(Topic topic, String owner) {
    topology.addSink(
        Outlets.sink(owner, topic),
        context.topics().name(topic),
        new StringSerializer(),
        values(topic),
        owner);
    return this;
  }

  /** Adds the sink through which a processor writes to a topic. */
  Wiring to(Topic topic, String owner, StreamPartitioner<String, Object> partitioner) {
    topology.addSink(
        Outlets.sink(owner, topic),
        context.topics().name(topic),
        new StringSerializer(),
        values(topic),
        partitioner,
        owner);
    return this;
  }

  private Serializer<Object> values(Topic topic) {
    Optional<Class<? extends SpecificRecord>> type = topic.record();
    return type.isPresent() ? avro(type.get()) : bytes();
  }

  private <A extends SpecificRecord> Serializer<Object> avro(Class<A> type) {
    Serializer<A> serializer = AvroSerde.of(context.registry(), type).serializer();
    return (topic, value) -> serializer.serialize(topic, type.cast(value));
  }

  private static Serializer<Object> bytes() {
    Serializer<byte[]> serializer = new ByteArraySerializer();
    return (topic, value) -> serializer.serialize(topic, (byte[]) value);
  }
}
