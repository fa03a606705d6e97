package dev.berth.streams.topology;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.streams.codec.Codec;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Rows of a processor's store: the cores' types here, on the changelog an Avro record whose one
 * field is the union of the tables' records. A row's table is in its key; its record's type says
 * how to read it.
 */
final class RowSerde implements Serde<Object> {
  private final Map<Class<?>, Function<Object, SpecificRecord>> encoders = new HashMap<>();
  private final Map<Class<?>, Function<Object, Object>> decoders = new HashMap<>();
  private final Serializer<Object> serializer;
  private final Deserializer<Object> deserializer;

  private RowSerde(Serializer<Object> serializer, Deserializer<Object> deserializer) {
    this.serializer = serializer;
    this.deserializer = deserializer;
  }

  /**
   * Makes a serde without tables.
   *
   * @param wrap makes the row record around a table's record
   * @param unwrap the record in a row
   */
  static <R extends SpecificRecord> RowSerde of(
      Registry registry, Class<R> row, Function<Object, R> wrap, Function<R, Object> unwrap) {
    AvroSerde<R> avro = AvroSerde.of(registry, row);
    Serializer<R> write = avro.serializer();
    Deserializer<R> read = avro.deserializer();
    RowSerde[] self = new RowSerde[1];
    RowSerde serde =
        new RowSerde(
            (topic, value) ->
                value == null ? null : write.serialize(topic, wrap.apply(self[0].encode(value))),
            (topic, bytes) ->
                bytes == null
                    ? null
                    : self[0].decode(unwrap.apply(read.deserialize(topic, bytes))));
    self[0] = serde;
    return serde;
  }

  /** Adds the rows of a table. */
  <D, A extends SpecificRecord> void add(Codec<D, A> codec) {
    encoders.put(codec.domain(), value -> codec.encode().apply(codec.domain().cast(value)));
    decoders.put(codec.record(), record -> codec.decode().apply(codec.record().cast(record)));
  }

  private SpecificRecord encode(Object value) {
    Function<Object, SpecificRecord> encoder = encoders.get(value.getClass());
    if (encoder == null) {
      throw new IllegalStateException("no table holds a " + value.getClass().getSimpleName());
    }
    return encoder.apply(value);
  }

  private Object decode(Object record) {
    Function<Object, Object> decoder = decoders.get(record.getClass());
    if (decoder == null) {
      throw new IllegalStateException(
          "no table holds a record " + record.getClass().getSimpleName());
    }
    return decoder.apply(record);
  }

  @Override
  public Serializer<Object> serializer() {
    return serializer;
  }

  @Override
  public Deserializer<Object> deserializer() {
    return deserializer;
  }
}
