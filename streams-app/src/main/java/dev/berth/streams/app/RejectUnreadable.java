package dev.berth.streams.app;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.errors.DeserializationExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;

/** Puts records aside whose bytes Kafka Streams itself cannot read, and goes on. */
public final class RejectUnreadable implements DeserializationExceptionHandler {
  private RejectedRecords rejected = new RejectedRecords("");

  /** Called by Kafka Streams. */
  public RejectUnreadable() {}

  @Override
  public void configure(Map<String, ?> settings) {
    rejected = RejectedRecords.configured(settings);
  }

  @Override
  public Response handleError(
      ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception failure) {
    if (Fault.of(failure) == Fault.OUTAGE) {
      return Response.fail();
    }
    return Response.resume(
        rejected.of(context, record.key(), record.value(), "unreadable", failure));
  }
}
