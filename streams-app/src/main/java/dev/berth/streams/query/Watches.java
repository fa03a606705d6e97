package dev.berth.streams.query;

import com.google.protobuf.Message;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The watches of one instance: each has a thread and a consumer. */
final class Watches implements AutoCloseable {
  private static final int MOST = 64;

  private final Set<Watch<?, ?, ?, ?>> open = ConcurrentHashMap.newKeySet();
  private final LongCalls threads = new LongCalls("watches", MOST);
  private final Lister lister;
  private final InstantSource clock;

  Watches(Lister lister, InstantSource clock) {
    this.lister = lister;
    this.clock = clock;
  }

  /**
   * Begins a watch; it ends when its client cancels.
   *
   * @param request what the client asks for
   * @throws io.grpc.StatusRuntimeException RESOURCE_EXHAUSTED when there are too many
   */
  <Q extends Message, T extends Message, R extends Message, C extends Message> void begin(
      Watchable<Q, T, R, C> watched,
      Message request,
      TopicAccess access,
      ServerCallStreamObserver<C> to) {
    Watch<Q, T, R, C> watch = new Watch<>(watched, request, access, lister, to, clock);
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
    open.forEach(Watch::end);
    threads.close();
  }
}
