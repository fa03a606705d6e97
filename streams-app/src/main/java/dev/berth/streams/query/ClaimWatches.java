package dev.berth.streams.query;

import dev.berth.proto.api.WatchClaimsRequest;
import dev.berth.proto.api.WatchClaimsResponse;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The watches of one instance: each has a thread and a consumer, so they are not without number.
 */
final class ClaimWatches implements AutoCloseable {
  private static final int MOST = 64;

  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger names = new AtomicInteger();
  private final Set<ClaimWatch> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads;
  private final Lister lister;
  private final InstantSource clock;

  ClaimWatches(Lister lister, InstantSource clock) {
    this.lister = lister;
    this.clock = clock;
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "berth-api-watch-" + names.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Begins a watch; it ends when its client cancels.
   *
   * @throws io.grpc.StatusRuntimeException RESOURCE_EXHAUSTED when there are too many
   */
  void begin(
      WatchClaimsRequest request,
      TopicAccess access,
      ServerCallStreamObserver<WatchClaimsResponse> to) {
    if (count.incrementAndGet() > MOST) {
      count.decrementAndGet();
      throw Status.RESOURCE_EXHAUSTED
          .withDescription(
              "%d watches are open on this instance: end one, or ask another instance"
                  .formatted(MOST))
          .asRuntimeException();
    }
    ClaimWatch watch = new ClaimWatch(request, access, lister, to, clock);
    open.add(watch);
    // Who calls is part of the context: what is read for the watch is what they may see.
    threads.execute(
        Context.current()
            .wrap(
                () -> {
                  try {
                    watch.run();
                  } finally {
                    open.remove(watch);
                    count.decrementAndGet();
                  }
                }));
  }

  @Override
  public void close() {
    open.forEach(ClaimWatch::end);
    threads.shutdownNow();
  }
}
