package dev.berth.streams.topology;

import dev.berth.schemas.topics.Topic;
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
        bytes(),
        owner);
    return this;
  }

  /** Adds the sink through which a processor writes to a topic. */
  Wiring to(Topic topic, String owner, StreamPartitioner<String, Object> partitioner) {
    topology.addSink(
        Outlets.sink(owner, topic),
        context.topics().name(topic),
        new StringSerializer(),
        bytes(),
        partitioner,
        owner);
    return this;
  }

  /** Processors forward bytes: what cannot be made must fail before anything is written. */
  private static Serializer<Object> bytes() {
    Serializer<byte[]> serializer = new ByteArraySerializer();
    return (topic, value) -> serializer.serialize(topic, (byte[]) value);
  }
}
