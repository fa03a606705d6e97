package dev.berth.workers.csi;

import dev.berth.proto.csi.IdentityGrpc;
import dev.berth.proto.csi.ProbeRequest;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Asks a plugin whether it is ready (csi.v1, Probe) before the first call over each connection: a
 * plugin that has restarted is behind a new one, and may have to find its provider first.
 *
 * <p>Safe for use by many threads; those that come while one asks wait for the answer it gets.
 */
final class Readiness {

  /** A cold plugin may take seconds for its first answer. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** Pause before a plugin that is waited for is asked again. */
  private static final Duration AGAIN = Duration.ofMillis(500);

  private final PluginConnection connection;
  private final ReentrantLock asking = new ReentrantLock();

  /** Number of the connection over which the plugin has said that it is ready. */
  private volatile long ready;

  Readiness(PluginConnection connection) {
    this.connection = connection;
  }

  /**
   * Connects to a plugin that is ready.
   *
   * @param patience how long to try
   * @param persist whether to try again after a failure, until patience ends
   */
  Reach reach(Duration patience, boolean persist) {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      Reach reach = reachOnce(end, persist);
      Duration left = left(end);
      boolean over = !persist || left.isZero() || reach instanceof Reach.Ready;
      if (over || !pause(left.compareTo(AGAIN) < 0 ? left : AGAIN)) {
        return reach;
      }
    }
  }

  private Reach reachOnce(long end, boolean persist) {
    Optional<Channel> channel = connection.connect(left(end), persist);
    if (channel.isEmpty()) {
      return new Reach.Not("no connection to " + connection.address());
    }
    return trouble(channel.get(), end)
        .<Reach>map(Reach.Not::new)
        .orElseGet(() -> new Reach.Ready(channel.get()));
  }

  private Optional<String> trouble(Channel channel, long end) {
    if (ready == connection.made()) {
      return Optional.empty();
    }
    try {
      if (!asking.tryLock(left(end).toNanos(), TimeUnit.NANOSECONDS)) {
        return Optional.of("the plugin at " + connection.address() + " has not answered to Probe");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted while waiting for Probe");
    }
    try {
      return ready == connection.made() ? Optional.empty() : ask(channel, end);
    } finally {
      asking.unlock();
    }
  }

  private Optional<String> ask(Channel channel, long end) {
    long asked = connection.made();
    Duration left = left(end);
    Duration limit = left.compareTo(LIMIT) < 0 ? left : LIMIT;
    try {
      Optional<String> trouble =
          PluginTrouble.of(
              IdentityGrpc.newBlockingStub(channel)
                  .withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS)
                  .probe(ProbeRequest.getDefaultInstance()));
      if (trouble.isPresent()) {
        return trouble;
      }
      ready = asked;
      // Over which of the two connections it has answered is not known.
      return asked == connection.made()
          ? trouble
          : Optional.of("the plugin at " + connection.address() + " has just restarted");
    } catch (StatusRuntimeException e) {
      String address = connection.address().text();
      return Optional.of(PluginTrouble.of("Probe", address, e.getStatus(), limit));
    }
  }

  private static Duration left(long end) {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  /** Returns false when the thread was interrupted. */
  private static boolean pause(Duration length) {
    try {
      TimeUnit.NANOSECONDS.sleep(length.toNanos());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
