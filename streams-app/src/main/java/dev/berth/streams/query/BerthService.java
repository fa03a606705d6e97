package dev.berth.streams.query;

import dev.berth.proto.api.CloseSessionRequest;
import dev.berth.proto.api.CloseSessionResponse;
import dev.berth.proto.api.GetCallsRequest;
import dev.berth.proto.api.GetCallsResponse;
import dev.berth.proto.api.GetVolumeRequest;
import dev.berth.proto.api.GetVolumeResponse;
import dev.berth.proto.api.OpenSessionRequest;
import dev.berth.proto.api.OpenSessionResponse;
import dev.berth.proto.api.RedeemSessionRequest;
import dev.berth.proto.api.RedeemSessionResponse;
import dev.berth.proto.api.RetryStuckRequest;
import dev.berth.proto.api.RetryStuckResponse;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.SubmitCommandResponse;
import dev.berth.proto.api.WhyClaimRequest;
import dev.berth.proto.api.WhyClaimResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of {@code berth.v1}, each handed to who answers it; those of lists stand apart. */
final class BerthService extends ListCalls {
  private static final Logger LOG = LoggerFactory.getLogger(BerthService.class);
  private static final int MOST_REDRIVES = 8;

  private final VolumeReads reads;
  private final WhyReads whyReads;
  private final LongCalls redrives = new LongCalls("redrives", MOST_REDRIVES);
  private final Supplier<TopicAccess> access;
  private final Supplier<CommandDesk> desk;
  private final SessionDesk sessions;

  /**
   * Prepares.
   *
   * @param fan asks the instances
   * @param access reaches the topics; throws {@link UnavailableException} while it cannot
   * @param desk takes commands; throws likewise
   * @param sessions gives out sessions
   */
  BerthService(
      Fan fan,
      Supplier<TopicAccess> access,
      Supplier<CommandDesk> desk,
      SessionDesk sessions,
      InstantSource clock) {
    super(fan, access, clock);
    this.reads = new VolumeReads(fan, lister(), slots());
    this.whyReads = new WhyReads(reads, clock);
    this.access = access;
    this.desk = desk;
    this.sessions = sessions;
  }

  @Override
  public void whyClaim(WhyClaimRequest request, StreamObserver<WhyClaimResponse> to) {
    answer(to, () -> whyReads.why(request, access.get()));
  }

  @Override
  public void submitCommand(
      SubmitCommandRequest request, StreamObserver<SubmitCommandResponse> to) {
    // Without it the library would throw where the answer comes after the client has gone.
    ((ServerCallStreamObserver<SubmitCommandResponse>) to).setOnCancelHandler(() -> {});
    try {
      desk.get()
          .submit(
              request,
              (answer, failure) -> {
                if (answer == null) {
                  to.onError(failure);
                } else {
                  to.onNext(answer);
                  to.onCompleted();
                }
              });
    } catch (RuntimeException e) {
      to.onError(failure(e));
    }
  }

  @Override
  public void retryStuck(RetryStuckRequest request, StreamObserver<RetryStuckResponse> to) {
    CountDownLatch gone = new CountDownLatch(1);
    ((ServerCallStreamObserver<RetryStuckResponse>) to).setOnCancelHandler(gone::countDown);
    try {
      redrives.begin(
          new Redrive(request, lister(), desk.get()::submit, to, time -> !elapsed(gone, time)));
    } catch (RuntimeException e) {
      to.onError(failure(e));
    }
  }

  /** Waits for a time, and says whether something has happened meanwhile. */
  private static boolean elapsed(CountDownLatch latch, Duration time) {
    try {
      return latch.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Override
  public void openSession(OpenSessionRequest request, StreamObserver<OpenSessionResponse> to) {
    answer(to, () -> sessions.open(request));
  }

  @Override
  public void redeemSession(
      RedeemSessionRequest request, StreamObserver<RedeemSessionResponse> to) {
    answer(to, () -> sessions.redeem(request));
  }

  @Override
  public void closeSession(CloseSessionRequest request, StreamObserver<CloseSessionResponse> to) {
    answer(to, () -> sessions.end(request));
  }

  /** Ends the watches and redrives. */
  @Override
  void close() {
    super.close();
    redrives.close();
  }

  @Override
  public void getVolume(GetVolumeRequest request, StreamObserver<GetVolumeResponse> to) {
    answer(to, () -> reads.volume(request));
  }

  @Override
  public void getCalls(GetCallsRequest request, StreamObserver<GetCallsResponse> to) {
    answer(to, () -> reads.calls(request));
  }

  /** Answers once, or says why not: in one way for every call. */
  static <R> void answer(StreamObserver<R> to, Supplier<R> reading) {
    R answer;
    try {
      answer = reading.get();
    } catch (RuntimeException e) {
      to.onError(failure(e));
      return;
    }
    to.onNext(answer);
    to.onCompleted();
  }

  /** What a caller is told of a failure. */
  static StatusRuntimeException failure(RuntimeException e) {
    if (e instanceof UnavailableException unavailable) {
      return unavailable.toStatus();
    }
    if (e instanceof StatusRuntimeException status) {
      return status;
    }
    LOG.error("a query failed", e);
    return Status.INTERNAL
        .withDescription("the query failed; the reason is in the log of this instance")
        .asRuntimeException();
  }
}
