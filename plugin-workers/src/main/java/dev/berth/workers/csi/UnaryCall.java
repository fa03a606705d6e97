package dev.berth.workers.csi;

import com.google.protobuf.Message;
import dev.berth.records.RpcCode;
import dev.berth.workers.call.CallResult;
import dev.berth.workers.secrets.Redaction;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.Map;

/** Sends one call and says what became of it. */
final class UnaryCall {

  /** Plugins quote whole command outputs; a record should not. */
  private static final int LONGEST_MESSAGE = 1_000;

  private UnaryCall() {}

  /**
   * Sends.
   *
   * @param channel connection to the plugin, without retries of its own
   * @param call what to send
   * @param deadline when it is over; nothing is sent past it, as far as gRPC can tell
   * @param redaction takes secret values out of what comes back
   * @param trace of this call only; notices how far it gets
   */
  static <Q extends Message, A extends Message> CallResult send(
      Channel channel,
      PreparedCall<Q, A> call,
      Deadline deadline,
      Redaction redaction,
      SendTrace trace) {
    CallOptions options =
        CallOptions.DEFAULT.withDeadline(deadline).withStreamTracerFactory(trace.factory());
    try {
      A answer = ClientCalls.blockingUnaryCall(channel, call.method(), options, call.request());
      return answered(redaction.context(call.publishContext().apply(answer)));
    } catch (StatusRuntimeException e) {
      return failed(e.getStatus(), trace, redaction);
    }
  }

  private static CallResult answered(Map<String, String> publishContext) {
    int size = StringMaps.bytes(publishContext);
    return size <= StringMaps.LARGEST
        ? new CallResult.Answered(RpcCode.OK, "", publishContext)
        : new CallResult.Answered(
            RpcCode.INTERNAL,
            "publish_context of %d bytes; csi.v1 allows %d".formatted(size, StringMaps.LARGEST),
            Map.of());
  }

  private static CallResult failed(Status status, SendTrace trace, Redaction redaction) {
    String message = shorten(redaction.text(StatusText.of(status)));
    if (!trace.mayHaveBeenSent()) {
      return new CallResult.Unreached(message);
    }
    RpcCode code = RpcCode.valueOf(status.getCode().name());
    return trace.isAnswer(status)
        ? new CallResult.Answered(code, message, Map.of())
        : new CallResult.Unanswered(code, message);
  }

  /** Cuts a message to a length that people read. */
  static String shorten(String message) {
    return message.length() <= LONGEST_MESSAGE
        ? message
        : message.substring(0, LONGEST_MESSAGE) + "…";
  }
}
