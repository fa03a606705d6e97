package dev.berth.ops.stack;

import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Parts that start side by side: most of a start is class loading and waiting. */
final class Starting {

  /** Begins to start a part on a thread of its own. */
  <T> CompletableFuture<T> begin(String name, Supplier<T> start) {
    CompletableFuture<T> started = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                started.complete(start.get());
              } catch (RuntimeException | Error e) {
                started.completeExceptionally(e);
              }
            },
            "start-" + name);
    thread.setDaemon(true);
    thread.start();
    return started;
  }

  /**
   * Waits for all of them, also when one fails or this thread is interrupted: what has started must
   * be closed.
   *
   * @param started gets those that have started, in the order given
   * @throws RuntimeException that of the first that failed, with those of the others
   */
  @SafeVarargs
  final void awaitAll(
      Deque<AutoCloseable> started, CompletableFuture<? extends AutoCloseable>... parts)
      throws InterruptedException {
    @Nullable RuntimeException failure = null;
    for (CompletableFuture<? extends AutoCloseable> part : parts) {
      try {
        started.push(part.join());
      } catch (CompletionException e) {
        RuntimeException cause = e.getCause() instanceof RuntimeException known ? known : e;
        if (failure == null) {
          failure = cause;
        } else {
          failure.addSuppressed(cause);
        }
      }
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (failure != null) {
      throw failure;
    }
  }
}
