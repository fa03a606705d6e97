package dev.berth.ops.api;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.Optional;

/** When the API says to ask again. */
final class RetryHint {
  private RetryHint() {}

  /** The wait that a failure asks for; empty when it does not say that another try would help. */
  static Optional<Duration> of(StatusRuntimeException failure) {
    if (failure.getStatus().getCode() != io.grpc.Status.Code.UNAVAILABLE) {
      return Optional.empty();
    }
    Status status = StatusProto.fromThrowable(failure);
    if (status == null) {
      return Optional.empty();
    }
    for (Any detail : status.getDetailsList()) {
      if (detail.is(RetryInfo.class)) {
        return delay(detail);
      }
    }
    return Optional.empty();
  }

  private static Optional<Duration> delay(Any detail) {
    try {
      com.google.protobuf.Duration delay = detail.unpack(RetryInfo.class).getRetryDelay();
      return Optional.of(Duration.ofSeconds(delay.getSeconds(), delay.getNanos()));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
