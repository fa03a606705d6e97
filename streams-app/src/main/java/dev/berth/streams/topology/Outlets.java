package dev.berth.streams.topology;

import dev.berth.records.StuckClaim;
import dev.berth.schemas.headers.Origin;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** The sinks of one processor: one for each topic it writes, named after both. */
final class Outlets {
  private final String owner;
  private final ProcessorContext<String, Object> context;
  private final TopologyContext topology;
  private final Map<Topic, Serializer<SpecificRecord>> serializers = new EnumMap<>(Topic.class);

  /**
   * The sinks of a processor.
   *
   * @param owner name of the processor
   * @param context its context
   * @param topology names and schemas of the topics
   */
  Outlets(String owner, ProcessorContext<String, Object> context, TopologyContext topology) {
    this.owner = owner;
    this.context = context;
    this.topology = topology;
  }

  /** Name of the sink node through which a processor writes to a topic. Fixed. */
  static String sink(String owner, Topic topic) {
    return owner + "-to-" + topic.suffix();
  }

  /**
   * A record to be sent.
   *
   * @param topic topic
   * @param key key; null for signals to every partition
   * @param value value; null for a tombstone
   * @param times times of the steps before it, for its headers
   */
  record Outgoing(
      Topic topic, @Nullable String key, @Nullable SpecificRecord value, StepTimes times) {
    /** One that is no step of a call's way. */
    Outgoing(Topic topic, @Nullable String key, @Nullable SpecificRecord value) {
      this(topic, key, value, StepTimes.NONE);
    }
  }

  /**
   * A record that was made.
   *
   * @param topic topic
   * @param key key; null for signals to every partition
   * @param bytes bytes of its value; null for a tombstone
   * @param headers its headers
   */
  // Made, sent once and forgotten: nobody compares it.
  @SuppressWarnings("ArrayRecordComponent")
  record Ready(Topic topic, @Nullable String key, byte @Nullable [] bytes, Headers headers) {}

  /** Makes records. Done for all of a decision before anything is written or sent. */
  List<Ready> ready(List<Outgoing> records) {
    List<Ready> made = new ArrayList<>(records.size());
    for (Outgoing record : records) {
      byte[] value = encode(record.topic(), record.value());
      String name = topology.topics().name(record.topic());
      made.add(
          new Ready(
              record.topic(), record.key(), RecordSize.checked(name, value), headers(record)));
    }
    return made;
  }

  private Headers headers(Outgoing record) {
    Headers headers = record.times().headers();
    if (record.value() instanceof StuckClaim letter) {
      StuckHeaders.set(
          headers,
          letter,
          context
              .recordMetadata()
              // While a clock ticks there is metadata of no record.
              .filter(from -> from.topic() != null)
              .map(from -> new Origin(from.topic(), from.partition(), from.offset())));
    }
    return headers;
  }

  /** Sends records that were made. */
  void send(List<Ready> records) {
    records.forEach(record -> send(record.topic(), record.key(), record.bytes(), record.headers()));
  }

  private byte @Nullable [] encode(Topic topic, @Nullable SpecificRecord value) {
    return value == null
        ? null
        : serializers
            .computeIfAbsent(topic, this::serializer)
            .serialize(topology.topics().name(topic), value);
  }

  private Serializer<SpecificRecord> serializer(Topic topic) {
    return avro(topic.record().orElseThrow());
  }

  private <A extends SpecificRecord> Serializer<SpecificRecord> avro(Class<A> type) {
    Serializer<A> serializer = AvroSerde.of(topology.registry(), type).serializer();
    return (name, value) -> serializer.serialize(name, type.cast(value));
  }

  /** Sends a record that was made, with headers. */
  void send(Topic topic, @Nullable String key, byte @Nullable [] value, Headers headers) {
    context.forward(
        new Record<>(key, (Object) value, context.currentSystemTimeMs(), headers),
        sink(owner, topic));
  }
}
