package dev.berth.streams.topology;

import dev.berth.schemas.topics.Topic;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts records aside that cannot be processed: their bytes as they came, with source and reason in
 * text headers.
 */
final class Rejections {
  /** Header with the topic the record came from. */
  static final String SOURCE_TOPIC = "berth.source.topic";

  /** Header with its partition. */
  static final String SOURCE_PARTITION = "berth.source.partition";

  /** Header with its offset. */
  static final String SOURCE_OFFSET = "berth.source.offset";

  /** Header with the reason, for people. */
  static final String REASON = "berth.reason";

  private static final Logger LOG = LoggerFactory.getLogger(Rejections.class);

  private final ProcessorContext<String, Object> context;
  private final Outlets outlets;

  Rejections(ProcessorContext<String, Object> context, Outlets outlets) {
    this.context = context;
    this.outlets = outlets;
  }

  void reject(Record<String, byte[]> record, String reason) {
    Headers headers = new RecordHeaders(record.headers());
    context
        .recordMetadata()
        .ifPresent(
            from -> {
              LOG.warn(
                  "rejected topic={} partition={} offset={} reason={}",
                  from.topic(),
                  from.partition(),
                  from.offset(),
                  reason);
              text(headers, SOURCE_TOPIC, from.topic());
              text(headers, SOURCE_PARTITION, Integer.toString(from.partition()));
              text(headers, SOURCE_OFFSET, Long.toString(from.offset()));
            });
    text(headers, REASON, reason);
    outlets.send(Topic.REJECTED_RECORDS, record.key(), record.value(), headers);
  }

  private static void text(Headers headers, String key, String value) {
    headers.remove(key);
    headers.add(key, value.getBytes(StandardCharsets.UTF_8));
  }
}
