package dev.berth.streams.query;

import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The API of one instance. It listens from the start, so that its address is known before the
 * instance joins the others; until it is given what to read, every call is UNAVAILABLE.
 *
 * <p>Calls of clients and calls of other instances have threads of their own: an instance whose
 * every thread waits for another still answers it.
 */
public final class ApiServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
  private static final int CLIENT_THREADS = 16;
  private static final int PEER_THREADS = 8;
  private static final Duration CLOSING = Duration.ofSeconds(5);

  private final AtomicReference<@Nullable Served> served = new AtomicReference<>();
  private final ExecutorService clients = threads("berth-api-client", CLIENT_THREADS);
  private final ExecutorService others = threads("berth-api-instance", PEER_THREADS);
  private final Peers peers;
  private final SessionDesk sessions;
  private final BerthService service;
  private final Server server;
  private final HostInfo advertised;

  /**
   * Listens.
   *
   * @throws IllegalArgumentException naming the setting and the remedy when it is not to be
   *     listened on
   * @throws UncheckedIOException when the port cannot be had
   */
  public ApiServer(ApiConfig config, ApiSecurity security) {
    requireSecured(config, security);
    peers = new Peers(security);
    sessions = security.sessions();
    Clock clock = Clock.systemUTC();
    Fan fan = new Fan(() -> served().instances(), peers, clock);
    service =
        new BerthService(fan, () -> served().access(), () -> served().desk(), sessions, clock);
    server = start(config, security, service);
    advertised =
        config
            .advertised()
            .map(address -> new HostInfo(address.host(), address.port()))
            .orElseGet(() -> new HostInfo(config.listen().host(), server.getPort()));
    LOG.info(
        "api listens on={} advertised={} secured={}{}",
        config.listen().host() + ":" + server.getPort(),
        text(advertised),
        security.secured(),
        security.secured()
            ? ""
            : " (everybody on this machine may do everything; other machines are not served)");
  }

  /**
   * What is answered from.
   *
   * @param instances the stores of all instances
   * @param access the topics
   * @param desk takes commands
   */
  private record Served(Instances instances, TopicAccess access, CommandDesk desk) {}

  /**
   * Answers from now on.
   *
   * @param instances the stores of all instances
   * @param access how to reach the topics
   */
  public void serve(StreamsInstances instances, TopicAccess access) {
    sessions.serve(access);
    served.set(new Served(instances, access, new CommandDesk(access, Clock.systemUTC())));
  }

  /** Where the others, and clients, reach this instance. */
  public HostInfo advertised() {
    return advertised;
  }

  /** The same as {@code host:port}. */
  public String address() {
    return text(advertised);
  }

  /** Ends the calls under way, after a moment. */
  @Override
  public void close() {
    server.shutdown();
    service.close();
    sessions.close();
    Served open = served.get();
    if (open != null) {
      open.desk().close();
    }
    try {
      if (!server.awaitTermination(CLOSING.toMillis(), TimeUnit.MILLISECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    peers.close();
    clients.shutdownNow();
    others.shutdownNow();
  }

  /** A host and a port. */
  static String text(HostInfo host) {
    return new ApiConfig.Address(host.host(), host.port()).toString();
  }

  private Served served() {
    Served found = served.get();
    if (found == null) {
      throw new UnavailableException(
          "instance %s starts".formatted(text(advertised)), Duration.ofSeconds(1));
    }
    return found;
  }

  private Server start(ApiConfig config, ApiSecurity security, BerthService service) {
    InetSocketAddress address =
        new InetSocketAddress(config.listen().host(), config.listen().port());
    ServerBuilder<?> builder =
        NettyServerBuilder.forAddress(address, security.server())
            .addService(service)
            .intercept(Scope.interceptor())
            .intercept(CallTrace.interceptor());
    List<ServerInterceptor> before = security.interceptors();
    // gRPC runs the interceptor that was added last first.
    for (int i = before.size() - 1; i >= 0; i--) {
      builder.intercept(before.get(i));
    }
    builder.callExecutor(
        new ServerCallExecutorSupplier() {
          @Override
          public <Q, R> ExecutorService getExecutor(ServerCall<Q, R> call, Metadata headers) {
            return Scope.isIn(headers) ? others : clients;
          }
        });
    try {
      return builder.build().start();
    } catch (IOException e) {
      peers.close();
      clients.shutdownNow();
      others.shutdownNow();
      throw new UncheckedIOException(
          "api.listen=%s cannot be listened on: set another port, or 0 for any that is free"
              .formatted(config.listen()),
          e);
    }
  }

  private static void requireSecured(ApiConfig config, ApiSecurity security) {
    if (!security.secured() && !config.listen().loopback("api.listen")) {
      throw new IllegalArgumentException(
          "api.listen=%s: without security the API would let everybody who reaches it do everything;"
                  .formatted(config.listen())
              + " listen on 127.0.0.1, or set api.tokens and api.tls.certificate");
    }
  }

  private static ExecutorService threads(String name, int most) {
    AtomicInteger count = new AtomicInteger();
    return Executors.newFixedThreadPool(
        most,
        task -> {
          Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }
}
