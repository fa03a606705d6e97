package dev.berth.streams.topology;

import dev.berth.schemas.topics.Topic;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts records aside that cannot be processed: their bytes as they came, with source and reason in
 * text headers. The key is a text by then: bytes that are none are in it as replacement characters.
 */
final class Rejections {
  private static final Logger LOG = LoggerFactory.getLogger(Rejections.class);

  private final ProcessorContext<String, Object> context;
  private final Outlets outlets;
  private final Counts counts;

  Rejections(ProcessorContext<String, Object> context, Outlets outlets) {
    this.context = context;
    this.outlets = outlets;
    this.counts = new Counts(context);
  }

  /** Records of this topic come: what is put aside of them is shown before there is any. */
  void expect(String topic) {
    counts.expect(topic);
  }

  void reject(Record<String, byte[]> record, String reason) {
    Headers headers = new RecordHeaders(record.headers());
    RecordMetadata from = context.recordMetadata().orElse(null);
    if (from != null) {
      LOG.warn(
          "rejected topic={} partition={} offset={} reason={}",
          from.topic(),
          from.partition(),
          from.offset(),
          reason);
      counts.rejected(from.topic());
      RejectionHeaders.set(headers, from.topic(), from.partition(), from.offset(), reason);
    }
    byte[] kept = RejectionHeaders.kept(record.value(), headers);
    outlets.send(Topic.REJECTED_RECORDS, record.key(), kept, headers);
  }
}
