package dev.berth.ops.api;

import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.BerthGrpc.BerthBlockingStub;
import dev.berth.proto.api.Freshness;
import io.grpc.CallCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Calls one instance, which answers for all. While it says that it can answer soon, it is asked
 * again for a short time; every other failure is an {@link ApiFailedException} at once.
 */
public final class ApiClient implements AutoCloseable {

  /** Longer than instances need to take over from one that ended. */
  private static final Duration UNTIL_READY = Duration.ofSeconds(20);

  private static final Duration SHORTEST_WAIT = Duration.ofMillis(50);

  private final ApiTarget target;
  private final Duration timeout;
  private final Consumer<String> progress;
  private final Pause pause;
  private final ManagedChannel channel;

  private ApiClient(
      ApiTarget target,
      Duration timeout,
      Consumer<String> progress,
      Pause pause,
      ManagedChannel channel) {
    this.target = target;
    this.timeout = timeout;
    this.progress = progress;
    this.pause = pause;
    this.channel = channel;
  }

  /**
   * Connects with the first call.
   *
   * @param timeout of each call
   * @param progress told in words what is waited for
   * @param pause waits between two tries
   */
  public static ApiClient to(
      ApiTarget target, Duration timeout, Consumer<String> progress, Pause pause) {
    ManagedChannelBuilder<?> channel =
        Grpc.newChannelBuilderForAddress(
            target.address().host(), target.address().port(), target.channel());
    target.name().ifPresent(channel::overrideAuthority);
    return new ApiClient(target, timeout, progress, pause, channel.build());
  }

  /** The same over the same connection, which this one closes, showing something else. */
  public ApiClient as(CallCredentials calls) {
    return new ApiClient(target.calling(calls), timeout, progress, pause, channel);
  }

  /** Whom it calls, as {@code host:port}. */
  public String address() {
    return target.address().toString();
  }

  /**
   * Makes a call.
   *
   * @throws ApiFailedException when it is not answered
   */
  public <R> R ask(Function<BerthBlockingStub, R> call) {
    Duration waited = Duration.ZERO;
    while (true) {
      try {
        return call.apply(stub().withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS));
      } catch (StatusRuntimeException e) {
        waited = waited.plus(awaitRetry(e, waited));
      }
    }
  }

  /**
   * Reads a stream that has no end. When an instance that can answer soon breaks it off it is begun
   * anew, so that what was told is told again.
   *
   * @param each takes what comes; false ends it
   * @throws ApiFailedException when it breaks off for another reason
   */
  public <R> void watch(Function<BerthBlockingStub, Iterator<R>> call, Predicate<R> each) {
    Duration waited = Duration.ZERO;
    while (true) {
      try {
        Iterator<R> changes = call.apply(stub());
        while (changes.hasNext()) {
          if (!each.test(changes.next())) {
            return;
          }
          waited = Duration.ZERO;
        }
        return;
      } catch (StatusRuntimeException e) {
        waited = waited.plus(awaitRetry(e, waited));
      }
    }
  }

  /**
   * Reads a list to its end.
   *
   * @param page reads the page of a token
   * @param <P> a page
   * @param <E> an entry
   * @throws ApiFailedException when a page is not answered
   */
  <P, E> Listed<E> pages(
      Function<String, P> page,
      Function<P, List<E>> entries,
      Function<P, String> nextToken,
      Function<P, Freshness> freshness) {
    Listed.Gathering<E> gathering = new Listed.Gathering<>();
    String token = "";
    do {
      P read = page.apply(token);
      gathering.add(entries.apply(read), freshness.apply(read));
      String next = nextToken.apply(read);
      if (!next.isEmpty() && next.equals(token)) {
        throw ApiFailedException.broken(address(), "names the same page again and again");
      }
      token = next;
    } while (!token.isEmpty());
    return gathering.listed();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private BerthBlockingStub stub() {
    BerthBlockingStub stub = BerthGrpc.newBlockingStub(channel);
    return target.calls() == null ? stub : stub.withCallCredentials(target.calls());
  }

  private Duration awaitRetry(StatusRuntimeException failure, Duration waited) {
    Optional<Duration> hint = RetryHint.of(failure);
    if (hint.isEmpty()) {
      throw ApiFailedException.of(failure, target, timeout);
    }
    Duration wait = hint.get().compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : hint.get();
    if (waited.plus(wait).compareTo(UNTIL_READY) > 0) {
      throw ApiFailedException.notYet(failure, address(), waited);
    }
    progress.accept("waiting for the API: " + failure.getStatus().getDescription());
    try {
      pause.elapse(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiFailedException.notYet(failure, address(), waited);
    }
    return wait;
  }
}
