package dev.berth.schemas.serde;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one kind of record, whatever version of its schema wrote it. The registry is asked once per
 * schema id.
 *
 * @param <T> the generated record
 */
final class AvroDeserializer<T extends SpecificRecord> implements Deserializer<T> {

  private static final ThreadLocal<BinaryDecoder> DECODER =
      ThreadLocal.withInitial(() -> DecoderFactory.get().binaryDecoder(new byte[0], null));

  private final Registry registry;
  private final Class<T> type;
  private final SpecificData model;
  private final Schema schema;
  private final Map<Integer, SpecificDatumReader<T>> readerById = new ConcurrentHashMap<>();

  AvroDeserializer(Registry registry, Class<T> type) {
    TrustedPackages.trust(type);
    this.registry = registry;
    this.type = type;
    this.model = SpecificData.getForClass(type);
    this.schema = model.getSchema(type);
  }

  /**
   * @return null for null, which is a tombstone
   * @throws UnreadableRecordException when the bytes are not such a record
   * @throws RegistryUnavailableException when the registry gives no answer to go by
   */
  @Override
  public @Nullable T deserialize(String topic, byte @Nullable [] data) {
    if (data == null) {
      return null;
    }
    SpecificDatumReader<T> reader = readerFor(topic, schemaId(topic, data));
    try {
      BinaryDecoder decoder =
          DecoderFactory.get()
              .binaryDecoder(
                  data,
                  WireFormat.HEADER_BYTES,
                  data.length - WireFormat.HEADER_BYTES,
                  DECODER.get());
      T record = reader.read(null, decoder);
      if (!decoder.isEnd()) {
        throw unreadable(topic, "bytes follow after the end of the record", null);
      }
      return record;
    } catch (UnreadableRecordException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw unreadable(topic, "broken Avro in " + data.length + " bytes", e);
    }
  }

  private int schemaId(String topic, byte[] data) {
    if (data.length < WireFormat.HEADER_BYTES) {
      throw unreadable(topic, data.length + " bytes are too short for the header", null);
    }
    if (data[0] != WireFormat.MAGIC) {
      throw unreadable(topic, "the first byte is " + data[0] + ", not 0", null);
    }
    return ByteBuffer.wrap(data).getInt(1);
  }

  private SpecificDatumReader<T> readerFor(String topic, int id) {
    SpecificDatumReader<T> known = readerById.get(id);
    if (known != null) {
      return known;
    }
    Schema written =
        registry
            .schemaById(id)
            .orElseThrow(
                () -> unreadable(topic, "the registry has no Avro schema with id " + id, null));
    SpecificDatumReader<T> reader = new SpecificDatumReader<>(written, schema, model);
    readerById.put(id, reader);
    return reader;
  }

  private UnreadableRecordException unreadable(
      String topic, String reason, @Nullable Exception cause) {
    String message = "topic %s: not a %s: %s".formatted(topic, type.getSimpleName(), reason);
    return cause == null
        ? new UnreadableRecordException(message)
        : new UnreadableRecordException(
            message + " (" + cause.getClass().getSimpleName() + ")", cause);
  }
}
