package dev.berth.streams.app;

import dev.berth.streams.topology.RejectionHeaders;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the dead letters of Kafka Streams' error handlers: the bytes of the record in hand as they
 * came, with source and reason in text headers, like those that the processors put aside
 * themselves.
 *
 * @param topic where they go
 */
record RejectedRecords(String topic) {
  private static final Logger LOG = LoggerFactory.getLogger(RejectedRecords.class);

  /** Reads the topic from the settings that Kafka Streams gives to its handlers. */
  static RejectedRecords configured(Map<String, ?> settings) {
    return new RejectedRecords(
        String.valueOf(settings.get(StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG)));
  }

  /**
   * The dead letter of the record in hand; none when there is none in hand, because time passed.
   *
   * @param what what could not be done with it
   */
  List<ProducerRecord<byte[], byte[]>> of(
      ErrorHandlerContext context,
      byte @Nullable [] key,
      byte @Nullable [] value,
      String what,
      Exception failure) {
    String reason = what + ": " + failure;
    LOG.error(
        "rejected topic={} partition={} offset={} node={} reason={}",
        context.topic(),
        context.partition(),
        context.offset(),
        context.processorNodeId(),
        reason,
        failure);
    if (context.topic() == null) {
      return List.of();
    }
    Headers headers = new RecordHeaders(context.headers().toArray());
    RejectionHeaders.set(headers, context.topic(), context.partition(), context.offset(), reason);
    byte[] kept = RejectionHeaders.kept(value, headers);
    return List.of(new ProducerRecord<>(topic, null, null, key, kept, headers));
  }
}
