package dev.berth.streams.query;

import dev.berth.proto.api.WatchClaimsRequest;
import dev.berth.proto.api.WatchClaimsResponse;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The watches of one instance: each has a thread and a consumer. */
final class ClaimWatches implements AutoCloseable {
  private static final int MOST = 64;

  private final Set<ClaimWatch> open = ConcurrentHashMap.newKeySet();
  private final LongCalls threads = new LongCalls("watches", MOST);
  private final Lister lister;
  private final InstantSource clock;

  ClaimWatches(Lister lister, InstantSource clock) {
    this.lister = lister;
    this.clock = clock;
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
    ClaimWatch watch = new ClaimWatch(request, access, lister, to, clock);
    open.add(watch);
    try {
      threads.begin(
          () -> {
            try {
              watch.run();
            } finally {
              open.remove(watch);
            }
          });
    } catch (RuntimeException e) {
      open.remove(watch);
      throw e;
    }
  }

  @Override
  public void close() {
    open.forEach(ClaimWatch::end);
    threads.close();
  }
}
