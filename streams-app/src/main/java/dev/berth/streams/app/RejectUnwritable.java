package dev.berth.streams.app;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;

/**
 * Decides about records that cannot be written. Only one whose content is at fault (too large, or
 * not expressible in its schema) is given up, with the source record as the dead letter; whatever
 * the brokers or the registry refuse ends the attempt, since going on would lose effects silently.
 */
public final class RejectUnwritable implements ProductionExceptionHandler {
  private RejectedRecords rejected = new RejectedRecords("");

  /** Called by Kafka Streams. */
  public RejectUnwritable() {}

  @Override
  public void configure(Map<String, ?> settings) {
    rejected = RejectedRecords.configured(settings);
  }

  @Override
  public Response handleError(
      ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception failure) {
    return failure instanceof RecordTooLargeException
        ? reject(context, record.topic(), failure)
        : Response.fail();
  }

  @Override
  @SuppressWarnings("rawtypes") // as Kafka Streams declares it
  public Response handleSerializationError(
      ErrorHandlerContext context,
      ProducerRecord record,
      Exception failure,
      SerializationExceptionOrigin origin) {
    return Fault.of(failure) == Fault.UNKNOWN
        ? reject(context, record.topic(), failure)
        : Response.fail();
  }

  private Response reject(ErrorHandlerContext context, String topic, Exception failure) {
    return Response.resume(
        rejected.of(
            context,
            context.sourceRawKey(),
            context.sourceRawValue(),
            "its effect on " + topic + " cannot be written",
            failure));
  }
}
