package dev.berth.streams.topology;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.serde.UnreadableRecordException;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.util.EnumMap;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a processor's sources bring, as bytes, so that one unreadable record goes to {@code
 * rejected-records} as it came and the records behind it go on. A registry that does not answer is
 * no reason to reject: its exception ends the attempt, and the record is read again.
 */
final class Incoming {
  private final Topics topics;
  private final Map<Topic, Deserializer<? extends SpecificRecord>> readers =
      new EnumMap<>(Topic.class);
  private final Rejections rejections;
  private final ProcessorContext<String, Object> context;

  /**
   * Prepares for the topics of a processor.
   *
   * @param context context of the processor
   * @param outlets its sinks, one of them to rejected-records
   */
  Incoming(
      Topics topics,
      Registry registry,
      ProcessorContext<String, Object> context,
      Outlets outlets,
      Topic... sources) {
    this.topics = topics;
    this.context = context;
    rejections = new Rejections(context, outlets);
    for (Topic source : sources) {
      Class<? extends SpecificRecord> type = source.record().orElseThrow();
      readers.put(source, AvroSerde.of(registry, type).deserializer());
      rejections.expect(topics.name(source));
    }
  }

  /**
   * The topic that the record in hand comes from; null when it comes from none of the processor's
   * sources.
   */
  @Nullable Topic source() {
    return context.recordMetadata().map(RecordMetadata::topic).flatMap(topics::find).orElse(null);
  }

  /**
   * Reads a record's value.
   *
   * @return null when the record was rejected, or is a tombstone (see {@code value == null} of the
   *     record)
   */
  @Nullable SpecificRecord read(Record<String, byte[]> record) {
    Topic source = source();
    Deserializer<? extends SpecificRecord> reader = source == null ? null : readers.get(source);
    if (source == null || reader == null || record.value() == null) {
      return null;
    }
    try {
      return reader.deserialize(topics.name(source), record.value());
    } catch (UnreadableRecordException unreadable) {
      reject(record, String.valueOf(unreadable.getMessage()));
      return null;
    }
  }

  /** Puts the record in hand aside with the reason. */
  void reject(Record<String, byte[]> record, String reason) {
    rejections.reject(record, reason);
  }
}
