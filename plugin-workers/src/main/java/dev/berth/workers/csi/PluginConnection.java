package dev.berth.workers.csi;

import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.config.PluginAddress;
import dev.berth.workers.config.TlsConfig;
import io.grpc.Attributes;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientTransportFilter;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one plugin socket.
 *
 * <p>A gRPC channel that has failed to connect fails calls at once while it backs off, for up to
 * two minutes: a plugin that has restarted would count as unreachable all that time. So a failed
 * channel is replaced, and each call after a failure gets one try at a new connection.
 *
 * <p>Safe for use by many threads.
 */
public final class PluginConnection implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PluginConnection.class);

  /** Pause between two tries of a call that persists (ns). */
  private static final long AGAIN = Duration.ofMillis(500).toNanos();

  private final PluginAddress address;
  private final Function<PluginAddress, ManagedChannelBuilder<?>> channels;
  private final AtomicLong made = new AtomicLong();
  private ManagedChannel current;

  private PluginConnection(
      PluginAddress address, Function<PluginAddress, ManagedChannelBuilder<?>> channels) {
    this.address = address;
    this.channels = channels;
    this.current = newChannel();
  }

  /** Prepares a plaintext connection; it is made by the first call. */
  public static PluginConnection plaintext(PluginAddress address) {
    return new PluginConnection(address, to -> builder(to, InsecureChannelCredentials.create()));
  }

  /**
   * Prepares the connection of an endpoint; it is made by the first call.
   *
   * @throws IllegalArgumentException naming the setting, the file and the remedy when the files of
   *     its TLS cannot be used
   */
  public static PluginConnection of(EndpointConfig endpoint) {
    return endpoint
        .tls()
        .map(tls -> new PluginConnection(endpoint.address(), new TlsChannels(tls)::channel))
        .orElseGet(() -> plaintext(endpoint.address()));
  }

  /** Channels through TLS, each with the certificates as they are when it is made. */
  private static final class TlsChannels {
    private final TlsConfig tls;
    private ChannelCredentials latest;

    TlsChannels(TlsConfig tls) {
      this.tls = tls;
      this.latest = PluginTls.credentials(tls);
    }

    synchronized ManagedChannelBuilder<?> channel(PluginAddress address) {
      try {
        latest = PluginTls.credentials(tls);
      } catch (IllegalArgumentException e) {
        // In the middle of a renewal; the next channel looks again.
        log.warn("the certificates before go on being used: {}", e.getMessage());
      }
      ManagedChannelBuilder<?> builder = builder(address, latest);
      tls.serverName().ifPresent(builder::overrideAuthority);
      return builder;
    }
  }

  private static ManagedChannelBuilder<?> builder(
      PluginAddress address, ChannelCredentials credentials) {
    return Grpc.newChannelBuilder(address.text(), credentials)
        // One call is one stream: what became of it could not be told otherwise.
        .disableRetry()
        .disableServiceConfigLookUp()
        // Plugins are near; a proxy of the environment is meant for others.
        .proxyDetector(target -> null);
  }

  /** Returns where it leads. */
  public PluginAddress address() {
    return address;
  }

  /**
   * Returns how many connections were made so far: one more than before may lead to a plugin that
   * has just started. Counted before the first call can use the new one.
   */
  long made() {
    return made.get();
  }

  private ManagedChannel newChannel() {
    return channels
        .apply(address)
        .addTransportFilter(
            new ClientTransportFilter() {
              @Override
              public Attributes transportReady(Attributes attributes) {
                made.incrementAndGet();
                return attributes;
              }
            })
        .build();
  }

  /** Returns a channel that is connected, or tries once to be when it is used. */
  public synchronized ManagedChannel channel() {
    if (current.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      // Calls that are open on it go on; it closes after the last of them.
      current.shutdown();
      current = newChannel();
    }
    return current;
  }

  /**
   * Connects, so that a call can be sent at once.
   *
   * @param patience how long to try
   * @param persist whether to try again after a failure, until patience ends
   * @return the connected channel; empty when there is no connection, so nothing can have been sent
   */
  public Optional<Channel> connect(Duration patience, boolean persist) {
    long end = System.nanoTime() + patience.toNanos();
    ManagedChannel channel = channel();
    while (true) {
      ConnectivityState state = channel.getState(true);
      if (state == ConnectivityState.READY) {
        return Optional.of(channel);
      }
      boolean failed =
          state == ConnectivityState.TRANSIENT_FAILURE || state == ConnectivityState.SHUTDOWN;
      long left = end - System.nanoTime();
      boolean giveUp = left <= 0 || (failed && !persist);
      if (giveUp || !awaitChange(channel, state, failed ? Math.min(left, AGAIN) : left)) {
        return Optional.empty();
      }
      if (failed) {
        channel = channel();
      }
    }
  }

  @Override
  public synchronized void close() {
    current.shutdownNow();
  }

  /** Returns false when the thread was interrupted. */
  private static boolean awaitChange(ManagedChannel channel, ConnectivityState state, long nanos) {
    CountDownLatch changed = new CountDownLatch(1);
    channel.notifyWhenStateChanged(state, changed::countDown);
    try {
      // Whether it has changed or not: whoever waits looks at the state himself.
      boolean unused = changed.await(nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
