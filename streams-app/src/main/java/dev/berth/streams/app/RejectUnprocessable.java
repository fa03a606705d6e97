package dev.berth.streams.app;

import java.util.Map;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Puts records aside that a processor failed on, and goes on: a bug that one record shows must not
 * stop its partition. A failure that is not the record's (an outage, a missing permission) ends the
 * attempt instead: the transaction is aborted and the record read again.
 */
public final class RejectUnprocessable implements ProcessingExceptionHandler {
  private RejectedRecords rejected = new RejectedRecords("");

  /** Called by Kafka Streams. */
  public RejectUnprocessable() {}

  @Override
  public void configure(Map<String, ?> settings) {
    rejected = RejectedRecords.configured(settings);
  }

  @Override
  public Response handleError(ErrorHandlerContext context, Record<?, ?> record, Exception failure) {
    if (Fault.of(failure) != Fault.UNKNOWN) {
      return Response.fail();
    }
    return Response.resume(
        rejected.of(
            context,
            context.sourceRawKey(),
            context.sourceRawValue(),
            "processing failed",
            failure));
  }
}
