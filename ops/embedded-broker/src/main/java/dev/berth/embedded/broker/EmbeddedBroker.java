package dev.berth.embedded.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real Kafka broker (KRaft, one node) in this process, for development and tests.
 *
 * <p>Listens on the loopback address only. The data directory is formatted once and keeps topics,
 * groups and offsets between runs; a later run tries the same port first, so that clients find the
 * broker again. Topics are not created on first use.
 */
public final class EmbeddedBroker implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedBroker.class);

  private final KafkaNode node;
  private final Path dataDirectory;
  private final int port;
  private final Duration startedIn;
  private boolean closed;

  private EmbeddedBroker(KafkaNode node, Path dataDirectory, int port, Duration startedIn) {
    this.node = node;
    this.dataDirectory = dataDirectory;
    this.port = port;
    this.startedIn = startedIn;
  }

  /**
   * Starts a broker on a free port, or on the port it had in this directory before.
   *
   * @param dataDirectory where it keeps its data; made when missing
   * @throws IllegalStateException when the broker does not start
   * @throws UncheckedIOException when the directory cannot be used
   */
  public static EmbeddedBroker start(Path dataDirectory) {
    return in(dataDirectory).start();
  }

  /** Begins a broker with settings of its own. */
  public static Builder in(Path dataDirectory) {
    return new Builder(dataDirectory);
  }

  /** What clients set as {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return BoundSockets.HOST + ":" + port;
  }

  /** The port that clients connect to. */
  public int port() {
    return port;
  }

  /** Where the data is. */
  public Path dataDirectory() {
    return dataDirectory;
  }

  /** How long the start took. */
  public Duration startedIn() {
    return startedIn;
  }

  /** Stops the broker and waits for it; the data stays. Doing it again does nothing. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      node.stop();
      log.info("broker stopped address={}", bootstrapServers());
    }
  }

  @Override
  public String toString() {
    return "EmbeddedBroker[" + bootstrapServers() + ", " + dataDirectory + "]";
  }

  /** A broker about to be started. */
  public static final class Builder {

    private final DataDirectory data;
    private final Map<String, String> overrides = new LinkedHashMap<>();
    private int requestedPort;

    private Builder(Path dataDirectory) {
      this.data = new DataDirectory(dataDirectory);
    }

    /**
     * Asks for a certain port.
     *
     * @param port 1 to 65535: this one or none; 0 (the default): the one of the last run if it is
     *     free, else any
     */
    public Builder port(int port) {
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("port=" + port + " is not a port: use 0 to 65535");
      }
      this.requestedPort = port;
      return this;
    }

    /** Sets a broker setting by its Kafka name, over what the embedded broker would use. */
    public Builder with(String setting, String value) {
      overrides.put(setting, value);
      return this;
    }

    /**
     * Starts the broker and returns when it serves clients.
     *
     * @throws IllegalStateException when it does not start, for example because the port or the
     *     directory is in use
     * @throws UncheckedIOException when the directory cannot be used
     */
    public EmbeddedBroker start() {
      long begin = System.nanoTime();
      try (BoundSockets sockets = new BoundSockets()) {
        data.format();
        int brokerPort = bindBroker(sockets);
        int controllerPort =
            sockets.bindPreferring(
                BrokerSettings.CONTROLLER_LISTENER,
                data.lastPort(BrokerSettings.CONTROLLER_LISTENER));
        KafkaNode node = run(sockets, brokerPort, controllerPort);
        data.rememberPorts(brokerPort, controllerPort);
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        log.info(
            "broker started address={}:{} took_ms={}",
            BoundSockets.HOST,
            brokerPort,
            took.toMillis());
        return new EmbeddedBroker(node, data.root(), brokerPort, took);
      } catch (IOException e) {
        throw new UncheckedIOException("broker in " + data.root() + ": " + e.getMessage(), e);
      }
    }

    private int bindBroker(BoundSockets sockets) throws IOException {
      if (requestedPort == 0) {
        return sockets.bindPreferring(
            BrokerSettings.BROKER_LISTENER, data.lastPort(BrokerSettings.BROKER_LISTENER));
      }
      try {
        return sockets.bind(BrokerSettings.BROKER_LISTENER, requestedPort);
      } catch (BindException e) {
        throw new IllegalStateException(
            "port " + requestedPort + " is in use: stop who uses it, or choose another", e);
      }
    }

    private KafkaNode run(BoundSockets sockets, int brokerPort, int controllerPort) {
      @Nullable KafkaNode node = null;
      try {
        node =
            new KafkaNode(
                BrokerSettings.of(
                    data.logs().toString(),
                    BoundSockets.HOST + ":" + brokerPort,
                    BoundSockets.HOST + ":" + controllerPort,
                    overrides),
                sockets,
                controllerPort);
        node.start();
        return node;
      } catch (RuntimeException e) {
        IllegalStateException failure =
            new IllegalStateException(
                "broker in " + data.root() + " does not start: " + e.getMessage(), e);
        stopQuietly(node, failure);
        throw failure;
      }
    }

    private static void stopQuietly(@Nullable KafkaNode node, IllegalStateException failure) {
      try {
        if (node != null) {
          node.stop();
        }
      } catch (RuntimeException e) {
        failure.addSuppressed(e);
      }
    }
  }
}
