package dev.berth.workers.call;

import dev.berth.workers.accept.Accepted;
import dev.berth.workers.accept.OpenCalls;
import dev.berth.workers.time.Clocks;
import io.grpc.Context;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open attempts of a worker, each on a thread of its own. An attempt is open until all its
 * outcomes are written.
 *
 * <p>Safe for use by many threads.
 */
public final class CallPool implements OpenCalls, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(CallPool.class);

  /** How long abandoned calls get to end as cancelled and to be reported. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final int most;
  private final PluginCaller caller;
  private final OutcomeSink sink;
  private final Clocks clocks;
  private final Duration drain;
  private final ExecutorService threads = Executors.newCachedThreadPool(new Named());
  private final Context.CancellableContext context = Context.ROOT.withCancellation();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private int open;

  /** Places taken for attempts that are being accepted. */
  private int taken;

  /**
   * @param most attempts that may be open at once; an opening may go beyond it
   * @param caller makes the calls
   * @param sink takes their outcomes
   * @param clocks clocks of the process
   * @param drain how long a close waits for open attempts
   */
  public CallPool(int most, PluginCaller caller, OutcomeSink sink, Clocks clocks, Duration drain) {
    this.most = most;
    this.caller = caller;
    this.sink = sink;
    this.clocks = clocks;
    this.drain = drain;
  }

  @Override
  public int room() {
    lock.lock();
    try {
      return Math.max(0, most - open - taken);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int take(int wanted) {
    lock.lock();
    try {
      int places = Math.min(wanted, Math.max(0, most - open - taken));
      taken += places;
      return places;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void giveBack(int places) {
    lock.lock();
    try {
      taken -= places;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many attempts are open. */
  public int open() {
    lock.lock();
    try {
      return open;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void begin(Accepted accepted) {
    change(1);
    threads.execute(() -> run(accepted));
  }

  /**
   * Waits for the open attempts, as long as the drain may take; then cancels what is still open and
   * reports nothing of it. Nothing may be begun any more.
   */
  @Override
  public void close() {
    if (!awaitNone(drain)) {
      log.warn("open attempts are abandoned count={} after={}", open(), drain);
      context.cancel(new CancellationException("the worker shuts down"));
      awaitNone(LAST_WORDS);
    }
    threads.shutdownNow();
  }

  private void run(Accepted accepted) {
    try {
      context.run(new AttemptRun(accepted, caller, sink, clocks, context::isCancelled));
    } finally {
      change(-1);
    }
  }

  private void change(int by) {
    lock.lock();
    try {
      open += by;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean awaitNone(Duration patience) {
    lock.lock();
    try {
      long left = patience.toNanos();
      while (open > 0 && left > 0) {
        left = ended.awaitNanos(left);
      }
      return open == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private static final class Named implements java.util.concurrent.ThreadFactory {
    private final AtomicInteger number = new AtomicInteger();

    @Override
    public Thread newThread(Runnable task) {
      Thread thread = new Thread(task, "call-" + number.incrementAndGet());
      // A call that hangs past the drain must not keep the process alive.
      thread.setDaemon(true);
      return thread;
    }
  }
}
