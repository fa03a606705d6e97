package dev.berth.streams.topology;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.streams.codec.Codec;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Rows of a processor's store as bytes: an Avro record whose one field is the union of the tables'
 * records. A row's table is in its key; its record's type says how to read it. Rows are made before
 * any is written, so that one that cannot be made leaves nothing half done.
 *
 * @param <R> record of a row
 */
final class RowBytes<R extends SpecificRecord> {
  private final Map<Class<?>, Function<Object, SpecificRecord>> encoders = new HashMap<>();
  private final Map<Class<?>, Function<Object, Object>> decoders = new HashMap<>();
  private final Serializer<R> serializer;
  private final Deserializer<R> deserializer;
  private final Function<Object, R> wrap;
  private final Function<R, Object> unwrap;

  RowBytes(Registry registry, Class<R> row, Function<Object, R> wrap, Function<R, Object> unwrap) {
    AvroSerde<R> avro = AvroSerde.of(registry, row);
    this.serializer = avro.serializer();
    this.deserializer = avro.deserializer();
    this.wrap = wrap;
    this.unwrap = unwrap;
  }

  /** Adds the rows of a table. */
  <D, A extends SpecificRecord> void add(Codec<D, A> codec) {
    encoders.put(codec.domain(), value -> codec.encode().apply(codec.domain().cast(value)));
    decoders.put(codec.record(), record -> codec.decode().apply(codec.record().cast(record)));
  }

  /**
   * Makes the bytes of a row.
   *
   * @param changelog topic whose subject has the schema
   */
  byte[] encode(String changelog, Object value) {
    Function<Object, SpecificRecord> encoder = encoders.get(value.getClass());
    if (encoder == null) {
      throw new IllegalStateException("no table holds a " + value.getClass().getSimpleName());
    }
    return serializer.serialize(changelog, wrap.apply(encoder.apply(value)));
  }

  /** Reads the bytes of a row. */
  Object decode(String changelog, byte[] bytes) {
    Object record = unwrap.apply(deserializer.deserialize(changelog, bytes));
    Function<Object, Object> decoder = decoders.get(record.getClass());
    if (decoder == null) {
      throw new IllegalStateException(
          "no table holds a record " + record.getClass().getSimpleName());
    }
    return decoder.apply(record);
  }
}
