package dev.berth.driver;

import dev.berth.driver.calls.CallLog;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.script.Script;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running instance of a simulated plugin, on one socket.
 *
 * <p>Serves Identity and the services of its roles as real gRPC. All of its I/O, waiting and work
 * is on one thread of its own. What it does lives in the provider, so that closing an instance and
 * starting another one is the crash and restart of a plugin process.
 */
public final class SimulatedDriver implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SimulatedDriver.class);
  private static final long CLOSE_SECONDS = 5;

  private final DriverSpec spec;
  private final Server server;
  private final EventLoopGroup loop;
  private final CallRunner runner;
  private final String endpoint;

  private SimulatedDriver(
      DriverSpec spec, Server server, EventLoopGroup loop, CallRunner runner, String endpoint) {
    this.spec = spec;
    this.server = server;
    this.loop = loop;
    this.runner = runner;
    this.endpoint = endpoint;
  }

  /**
   * Serves on a unix socket. A socket file that a dead process left is replaced.
   *
   * @param socket at most 107 bytes long; its directory is made if missing
   * @throws IOException if the socket cannot be served: the path is too long, in use, or no socket
   */
  public static SimulatedDriver start(
      DriverSpec spec, Provider provider, Script script, CallLog log, Path socket)
      throws IOException {
    SocketFile.prepare(socket);
    SimulatedDriver driver =
        start(
            spec,
            provider,
            script,
            log,
            new DomainSocketAddress(socket.toFile()),
            EpollServerDomainSocketChannel.class);
    try {
      SocketFile.protect(socket);
    } catch (IOException e) {
      driver.close();
      throw e;
    }
    return driver;
  }

  /**
   * Serves on a TCP port of the loopback address.
   *
   * @param port 0 takes a free one; {@link #endpoint} tells which
   * @throws IOException if the port cannot be bound
   */
  public static SimulatedDriver startOnLoopback(
      DriverSpec spec, Provider provider, Script script, CallLog log, int port) throws IOException {
    return start(
        spec,
        provider,
        script,
        log,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        EpollServerSocketChannel.class);
  }

  private static SimulatedDriver start(
      DriverSpec spec,
      Provider provider,
      Script script,
      CallLog log,
      SocketAddress address,
      Class<? extends ServerChannel> channel)
      throws IOException {
    EventLoopGroup loop =
        new MultiThreadIoEventLoopGroup(
            1,
            new DefaultThreadFactory("driver-" + spec.instance(), true),
            EpollIoHandler.newFactory());
    CallRunner runner = new CallRunner(script, log, loop);
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .channelType(channel)
            .bossEventLoopGroup(loop)
            .workerEventLoopGroup(loop)
            // No handler of ours blocks, so the event loop may run them.
            .directExecutor()
            .addService(new IdentityService(spec, runner));
    if (spec.roles().contains(DriverSpec.Role.CONTROLLER)) {
      builder.addService(new ControllerService(spec, provider, runner));
    }
    if (spec.roles().contains(DriverSpec.Role.NODE)) {
      provider.addNodeIfMissing(spec.nodeId(), spec.maxVolumes());
      builder.addService(new NodeService(spec, provider, runner));
    }
    try {
      Server server = builder.build().start();
      String endpoint = endpoint(address, server);
      LOG.debug(
          "driver serves plugin={} instance={} endpoint={}",
          spec.plugin(),
          spec.instance(),
          endpoint);
      return new SimulatedDriver(spec, server, loop, runner, endpoint);
    } catch (IOException e) {
      Future<?> unused = loop.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
      throw e;
    }
  }

  private static String endpoint(SocketAddress address, Server server) {
    return address instanceof DomainSocketAddress socket
        ? "unix://" + Path.of(socket.path()).toAbsolutePath()
        : "127.0.0.1:" + server.getPort();
  }

  /** What was started. */
  public DriverSpec spec() {
    return spec;
  }

  /** What a gRPC channel takes as its target: {@code unix:///path} or {@code 127.0.0.1:port}. */
  public String endpoint() {
    return endpoint;
  }

  /**
   * Stops at once: open calls lose their connection, their work is dropped, the socket file goes.
   * Closing again does nothing.
   */
  @Override
  public void close() {
    runner.abandonAll();
    server.shutdownNow();
    try {
      if (!server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("driver does not stop plugin={} instance={}", spec.plugin(), spec.instance());
      }
      // Calls that came in between.
      runner.abandonAll();
      loop.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
          .await(CLOSE_SECONDS, TimeUnit.SECONDS);
      if (endpoint.startsWith("unix://")) {
        Files.deleteIfExists(Path.of(endpoint.substring("unix://".length())));
      }
    } catch (IOException e) {
      LOG.warn("socket file stays endpoint={}", endpoint, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
