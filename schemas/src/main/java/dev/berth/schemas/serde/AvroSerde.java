package dev.berth.schemas.serde;

import dev.berth.schemas.registry.Registry;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Values of a topic as generated Avro records, in Confluent's wire format, under the subject {@code
 * <topic>-value}.
 *
 * <p>Needs no {@code configure}; keys are plain strings and not its business. Safe for use by many
 * threads. Closing it leaves the registry open, since many serdes share one.
 *
 * @param <T> the generated record
 */
public final class AvroSerde<T extends SpecificRecord> implements Serde<T> {

  private final AvroSerializer<T> serializer;
  private final AvroDeserializer<T> deserializer;

  private AvroSerde(Registry registry, Class<T> type) {
    this.serializer = new AvroSerializer<>(registry, type);
    this.deserializer = new AvroDeserializer<>(registry, type);
  }

  /** A serde of this record over a registry. */
  public static <T extends SpecificRecord> AvroSerde<T> of(Registry registry, Class<T> type) {
    return new AvroSerde<>(registry, type);
  }

  /** A serde of this record over a client; writing registers a schema that is missing. */
  public static <T extends SpecificRecord> AvroSerde<T> of(
      SchemaRegistryClient client, Class<T> type) {
    return of(Registry.over(client), type);
  }

  /**
   * The id of the schema that a value was written with.
   *
   * @return empty when the value is null or not in the wire format
   */
  public static OptionalInt schemaId(byte @Nullable [] value) {
    return value == null || value.length < WireFormat.HEADER_BYTES || value[0] != WireFormat.MAGIC
        ? OptionalInt.empty()
        : OptionalInt.of(ByteBuffer.wrap(value).getInt(1));
  }

  /**
   * Checks the use; there is nothing to configure.
   *
   * @throws IllegalArgumentException when used for keys
   */
  @Override
  public void configure(Map<String, ?> configs, boolean isKey) {
    serializer.configure(configs, isKey);
  }

  @Override
  public Serializer<T> serializer() {
    return serializer;
  }

  @Override
  public Deserializer<T> deserializer() {
    return deserializer;
  }
}
