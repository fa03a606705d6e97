package dev.berth.streams.query;

import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ListStuckRequest;
import dev.berth.proto.api.ListStuckResponse;
import dev.berth.proto.api.ReadOptions;
import dev.berth.proto.api.RetryCommand;
import dev.berth.proto.api.RetryStuckRequest;
import dev.berth.proto.api.RetryStuckResponse;
import dev.berth.proto.api.RetryStuckResponse.Chosen;
import dev.berth.proto.api.RetryStuckResponse.Retried;
import dev.berth.proto.api.Stuck;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.SubmitCommandResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Retries the stuck claims that match, one after the other: a plugin that has just come back is not
 * to be asked for everything at once. What is chosen is what the caller may see, and each is a
 * command like any other.
 */
final class Redrive implements Runnable {
  private static final int USUAL_RATE = 10;
  private static final int HIGHEST_RATE = 100;
  private static final int PAGE = 500;

  private final RetryStuckRequest request;
  private final Lister lister;
  private final Submission desk;
  private final StreamObserver<RetryStuckResponse> to;
  private final Predicate<Duration> pause;
  private final Duration between;

  /** Submits a command and tells the answer, or the failure. */
  @FunctionalInterface
  interface Submission {
    void submit(
        SubmitCommandRequest request,
        BiConsumer<@Nullable SubmitCommandResponse, @Nullable StatusRuntimeException> answered);
  }

  /**
   * Prepares.
   *
   * @param pause waits; false when nobody listens any more
   * @throws StatusRuntimeException INVALID_ARGUMENT for a rate that is none
   */
  Redrive(
      RetryStuckRequest request,
      Lister lister,
      Submission desk,
      StreamObserver<RetryStuckResponse> to,
      Predicate<Duration> pause) {
    this.request = request;
    this.lister = lister;
    this.desk = desk;
    this.to = to;
    this.pause = pause;
    this.between = between(request.getRate());
  }

  private static Duration between(int rate) {
    if (rate < 0 || rate > HIGHEST_RATE) {
      throw Status.INVALID_ARGUMENT
          .withDescription(
              "rate=%d: give 1 to %d a second, or 0 for %d"
                  .formatted(rate, HIGHEST_RATE, USUAL_RATE))
          .asRuntimeException();
    }
    return Duration.ofSeconds(1).dividedBy(rate == 0 ? USUAL_RATE : rate);
  }

  @Override
  public void run() {
    try {
      List<Stuck> chosen = chosen();
      to.onNext(
          RetryStuckResponse.newBuilder()
              .setChosen(Chosen.newBuilder().setClaims(chosen.size()))
              .build());
      if (request.getDryRun()) {
        chosen.forEach(each -> to.onNext(RetryStuckResponse.newBuilder().setFound(each).build()));
      } else {
        retry(chosen);
      }
      to.onCompleted();
    } catch (RuntimeException e) {
      to.onError(BerthService.failure(e));
    }
  }

  private List<Stuck> chosen() {
    List<Stuck> chosen = new ArrayList<>();
    String token = "";
    do {
      ListStuckRequest page =
          ListStuckRequest.newBuilder()
              .setNamespace(request.getNamespace())
              .setPlugin(request.getPlugin())
              .setNode(request.getNode())
              .setCode(request.getCode())
              .setVolume(request.getVolume())
              .setAlloc(request.getAlloc())
              .setPageSize(PAGE)
              .setPageToken(token)
              .build();
      ListStuckResponse read =
          lister.page(VolumeLists.STUCK, page, ReadOptions.getDefaultInstance());
      chosen.addAll(read.getStuckList());
      token = read.getNextPageToken();
    } while (!token.isEmpty());
    return chosen;
  }

  private void retry(List<Stuck> chosen) {
    boolean first = true;
    for (Stuck each : chosen) {
      if (!first && !pause.test(between)) {
        return;
      }
      first = false;
      Caller.requireStill();
      to.onNext(RetryStuckResponse.newBuilder().setRetried(retried(each.getClaim())).build());
    }
  }

  private Retried retried(Claim claim) {
    Retried.Builder told = Retried.newBuilder().setRef(claim.getRef()).setAlloc(claim.getAlloc());
    CompletableFuture<Retried> done = new CompletableFuture<>();
    try {
      desk.submit(
          command(claim),
          (answer, failure) ->
              done.complete(
                  answer == null
                      ? told.setFailure(text(failure)).build()
                      : told.setAnswer(answer).build()));
      // The desk itself gives up after a time.
      return done.join();
    } catch (StatusRuntimeException | UnavailableException e) {
      // The others may do: one that fails does not end it.
      return told.setFailure(text(e)).build();
    }
  }

  private static String text(@Nullable RuntimeException failure) {
    return failure == null ? "it was not answered" : String.valueOf(failure.getMessage());
  }

  private SubmitCommandRequest command(Claim claim) {
    return SubmitCommandRequest.newBuilder()
        .setAuthor(request.getAuthor())
        .setReason(request.getReason())
        .setRetry(RetryCommand.newBuilder().setRef(claim.getRef()).setAlloc(claim.getAlloc()))
        .build();
  }
}
