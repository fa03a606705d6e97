package dev.berth.streams.query;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.io.Serial;
import java.time.Duration;

/** Something cannot be read now and can be soon. */
public final class UnavailableException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final Duration wait;

  /**
   * Says so.
   *
   * @param text which partition or instance, and why
   * @param wait after which to try again
   */
  public UnavailableException(String text, Duration wait) {
    super(text);
    this.wait = wait;
  }

  Duration waitFor() {
    return wait;
  }

  /** The same as a caller gets it: UNAVAILABLE with a RetryInfo. */
  public StatusRuntimeException toStatus() {
    return StatusProto.toStatusRuntimeException(
        Status.newBuilder()
            .setCode(Code.UNAVAILABLE_VALUE)
            .setMessage(getMessage() + "; try again in " + wait.toMillis() + " ms")
            .addDetails(
                Any.pack(RetryInfo.newBuilder().setRetryDelay(ProtoTime.duration(wait)).build()))
            .build());
  }

  /** What another instance has answered, read back; its words are kept. */
  static UnavailableException from(String instance, StatusRuntimeException failure) {
    Duration wait = Duration.ofSeconds(1);
    Status status = StatusProto.fromThrowable(failure);
    if (status != null) {
      for (Any detail : status.getDetailsList()) {
        if (detail.is(RetryInfo.class)) {
          wait = retryDelay(detail, wait);
        }
      }
    }
    String words = failure.getStatus().getDescription();
    return new UnavailableException(
        "instance %s: %s"
            .formatted(instance, words == null ? failure.getStatus().getCode() : words),
        wait);
  }

  private static Duration retryDelay(Any detail, Duration otherwise) {
    try {
      com.google.protobuf.Duration delay = detail.unpack(RetryInfo.class).getRetryDelay();
      return Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      return otherwise;
    }
  }
}
