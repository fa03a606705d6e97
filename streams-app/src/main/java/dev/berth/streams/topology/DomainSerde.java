package dev.berth.streams.topology;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.streams.codec.Codec;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Values of a store as the cores' types, on their changelog as Avro.
 *
 * @param <D> type of the cores
 */
final class DomainSerde<D> implements Serde<D> {
  private final Serializer<D> serializer;
  private final Deserializer<D> deserializer;

  private DomainSerde(Serializer<D> serializer, Deserializer<D> deserializer) {
    this.serializer = serializer;
    this.deserializer = deserializer;
  }

  static <D, A extends SpecificRecord> DomainSerde<D> of(Registry registry, Codec<D, A> codec) {
    AvroSerde<A> avro = AvroSerde.of(registry, codec.record());
    Serializer<A> write = avro.serializer();
    Deserializer<A> read = avro.deserializer();
    return new DomainSerde<>(
        (topic, value) ->
            value == null ? null : write.serialize(topic, codec.encode().apply(value)),
        (topic, bytes) ->
            bytes == null ? null : codec.decode().apply(read.deserialize(topic, bytes)));
  }

  @Override
  public Serializer<D> serializer() {
    return serializer;
  }

  @Override
  public Deserializer<D> deserializer() {
    return deserializer;
  }
}
