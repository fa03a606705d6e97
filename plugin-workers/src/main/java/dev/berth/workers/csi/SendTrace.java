package dev.berth.workers.csi;

import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import io.grpc.Attributes;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notices how far one call got. Without retries of gRPC's own (the channels have none) a call has
 * one stream at most.
 */
final class SendTrace extends ClientStreamTracer {

  private final Clocks clocks;
  private volatile boolean streamCreated;
  private volatile @Nullable Moment handedOver;
  private volatile boolean trailersReceived;
  private volatile @Nullable Status closed;

  /**
   * @param clocks read when the request goes out
   */
  SendTrace(Clocks clocks) {
    this.clocks = clocks;
  }

  CallOptionsFactory factory() {
    return new CallOptionsFactory(this);
  }

  @Override
  public void streamCreated(Attributes transport, Metadata headers) {
    // From here on the transport may write at any time.
    streamCreated = true;
  }

  @Override
  public void outboundMessageSent(int number, long wireSize, long uncompressedSize) {
    handedOver = clocks.read();
  }

  @Override
  public void inboundTrailers(Metadata trailers) {
    trailersReceived = true;
  }

  @Override
  public void streamClosed(Status status) {
    closed = status;
  }

  /** Returns whether anything of the call may have left this process. */
  boolean mayHaveBeenSent() {
    return streamCreated;
  }

  /**
   * Returns when the request was given to the transport, or empty when it was not. It may have left
   * later than that, by as long as the transport's own queue kept it.
   */
  Optional<Moment> handedOver() {
    return Optional.ofNullable(handedOver);
  }

  /**
   * Returns whether a status is what the plugin answered: it came in trailers, and nothing on this
   * side (a deadline, an unreadable answer) has replaced it since.
   */
  boolean isAnswer(Status status) {
    Status inTrailers = closed;
    return trailersReceived && inTrailers != null && inTrailers.getCode() == status.getCode();
  }

  /** Hands this trace to the one stream of the call. */
  static final class CallOptionsFactory extends Factory {
    private final SendTrace trace;

    private CallOptionsFactory(SendTrace trace) {
      this.trace = trace;
    }

    @Override
    public ClientStreamTracer newClientStreamTracer(StreamInfo info, Metadata headers) {
      return trace;
    }
  }
}
