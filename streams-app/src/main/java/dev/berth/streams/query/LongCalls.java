package dev.berth.streams.query;

import io.grpc.Context;
import io.grpc.Status;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls that take a thread for as long as somebody listens, so that they are not without number.
 */
final class LongCalls implements AutoCloseable {
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger names = new AtomicInteger();
  private final ExecutorService threads;
  private final String what;
  private final int most;

  /**
   * Prepares.
   *
   * @param what what they are called, for people
   * @param most so many at a time (count)
   */
  LongCalls(String what, int most) {
    this.what = what;
    this.most = most;
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread =
                  new Thread(task, "berth-api-%s-%d".formatted(what, names.incrementAndGet()));
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Begins one in a thread of its own, in the context of the call under way: who calls is part of
   * it, and decides what is seen.
   *
   * @throws io.grpc.StatusRuntimeException RESOURCE_EXHAUSTED when there are too many
   */
  void begin(Runnable call) {
    if (count.incrementAndGet() > most) {
      count.decrementAndGet();
      throw Status.RESOURCE_EXHAUSTED
          .withDescription(
              "%d %s are open on this instance: end one, or ask another instance"
                  .formatted(most, what))
          .asRuntimeException();
    }
    threads.execute(
        Context.current()
            .wrap(
                () -> {
                  try {
                    call.run();
                  } finally {
                    count.decrementAndGet();
                  }
                }));
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
