package dev.berth.streams.topology;

import dev.berth.schemas.topics.Topic;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** The sinks of one processor: one for each topic it writes, named after both. */
final class Outlets {
  private final String owner;
  private final ProcessorContext<String, Object> context;

  /**
   * The sinks of a processor.
   *
   * @param owner name of the processor
   * @param context its context
   */
  Outlets(String owner, ProcessorContext<String, Object> context) {
    this.owner = owner;
    this.context = context;
  }

  /** Name of the sink node through which a processor writes to a topic. Fixed. */
  static String sink(String owner, Topic topic) {
    return owner + "-to-" + topic.suffix();
  }

  /**
   * Writes a record.
   *
   * @param value null for a tombstone
   */
  void send(Topic topic, String key, @Nullable SpecificRecord value) {
    send(topic, key, value, new RecordHeaders());
  }

  /**
   * Writes a record with headers. The value is a record of ours, or the bytes of a rejected one.
   */
  void send(Topic topic, @Nullable String key, @Nullable Object value, Headers headers) {
    context.forward(
        new Record<>(key, value, context.currentSystemTimeMs(), headers), sink(owner, topic));
  }
}
