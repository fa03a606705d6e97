package dev.berth.ops.command;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM, for a command that closes what it has opened by itself: the thread that made
 * this is interrupted, and the process ends when it has closed this.
 */
final class StopSignal implements AutoCloseable {

  private final Thread hook;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean asked;
  private volatile OptionalInt exitCode = OptionalInt.empty();

  /**
   * Begins to listen.
   *
   * @param patience how long the thread may take to close everything
   */
  StopSignal(Duration patience) {
    Thread owner = Thread.currentThread();
    this.hook = new Thread(() -> stop(owner, patience), "stop");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Whether a stop was asked for: an exception after that is how the owner's work ended, and no
   * failure.
   */
  boolean asked() {
    return asked;
  }

  /**
   * What the process exits with when it was asked to stop, instead of the JVM's own code (128 and
   * the signal's number).
   */
  void exitWith(int code) {
    exitCode = OptionalInt.of(code);
  }

  /** Everything is closed; a stop need not be waited for any more. */
  @Override
  public void close() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook waits for this.
      return;
    }
  }

  private void stop(Thread owner, Duration patience) {
    asked = true;
    owner.interrupt();
    try {
      if (closed.await(patience.toMillis(), TimeUnit.MILLISECONDS) && exitCode.isPresent()) {
        // The only way to choose the code of a process that a signal ends.
        Runtime.getRuntime().halt(exitCode.getAsInt());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
