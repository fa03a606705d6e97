package dev.berth.schemas.serde;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.registry.SchemaRefusedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one kind of record. The registry is asked once per topic.
 *
 * @param <T> the generated record
 */
final class AvroSerializer<T extends SpecificRecord> implements Serializer<T> {

  /** Above this a thread's buffer is not kept: one huge record should not cost memory for good. */
  private static final int KEPT_BYTES = 1 << 20;

  private static final ThreadLocal<Output> OUTPUT = ThreadLocal.withInitial(Output::new);

  private final Registry registry;
  private final Class<T> type;
  private final Schema schema;
  private final SpecificDatumWriter<T> writer;
  private final Map<String, Integer> idByTopic = new ConcurrentHashMap<>();

  AvroSerializer(Registry registry, Class<T> type) {
    TrustedPackages.trust(type);
    this.registry = registry;
    this.type = type;
    SpecificData model = SpecificData.getForClass(type);
    this.schema = model.getSchema(type);
    this.writer = new SpecificDatumWriter<>(schema, model);
  }

  @Override
  public void configure(Map<String, ?> configs, boolean isKey) {
    if (isKey) {
      throw new IllegalArgumentException(
          "serde of " + type.getName() + " is for values; use Serdes.String() for keys");
    }
  }

  /**
   * @return null for null, which is a tombstone
   * @throws SerializationException when the record breaks its schema, for example by a null where
   *     none is allowed
   * @throws SchemaRefusedException when the registry does not take the schema
   * @throws RegistryUnavailableException when the registry gives no answer to go by
   */
  @Override
  public byte @Nullable [] serialize(String topic, @Nullable T record) {
    if (record == null) {
      return null;
    }
    int id = idFor(topic);
    Output output = OUTPUT.get();
    try {
      return output.encode(id, record, writer);
    } catch (IOException | RuntimeException e) {
      throw new SerializationException(
          "topic %s: a %s breaks its schema: %s"
              .formatted(topic, type.getSimpleName(), e.getMessage()),
          e);
    } finally {
      if (output.bytes.size() > KEPT_BYTES) {
        OUTPUT.remove();
      }
    }
  }

  private int idFor(String topic) {
    // Not computeIfAbsent: no lock may be held while the registry is asked.
    Integer known = idByTopic.get(topic);
    if (known != null) {
      return known;
    }
    int id = registry.idFor(Registry.valueSubject(topic), schema);
    idByTopic.put(topic, id);
    return id;
  }

  /** The buffers of one thread, used again for each record. */
  private static final class Output {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1_024);
    private @Nullable BinaryEncoder encoder;

    <R> byte[] encode(int schemaId, R record, SpecificDatumWriter<R> writer) throws IOException {
      // First the encoder: making it ready flushes what an earlier failure has left in it.
      encoder = EncoderFactory.get().binaryEncoder(bytes, encoder);
      bytes.reset();
      bytes.write(WireFormat.MAGIC);
      bytes.write(schemaId >>> 24);
      bytes.write(schemaId >>> 16);
      bytes.write(schemaId >>> 8);
      bytes.write(schemaId);
      writer.write(record, encoder);
      encoder.flush();
      return bytes.toByteArray();
    }
  }
}
