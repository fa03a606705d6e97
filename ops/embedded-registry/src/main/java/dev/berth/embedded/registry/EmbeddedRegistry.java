package dev.berth.embedded.registry;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A schema registry in this process, for development and tests, that speaks Confluent's REST API.
 *
 * <p>Listens on the loopback address only, without authentication. Registrations are on disk before
 * they are answered, so that the ids in records on topics keep their meaning over restarts; a later
 * run tries the same port first.
 */
public final class EmbeddedRegistry implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedRegistry.class);
  private static final String HOST = "127.0.0.1";
  private static final int THREADS = 4;

  static {
    // Without it every answer waits some 40 ms for the client to acknowledge its header. The server
    // reads this once, when its first instance is made; whoever has set it otherwise keeps it.
    if (System.getProperty("sun.net.httpserver.nodelay") == null) {
      System.setProperty("sun.net.httpserver.nodelay", "true");
    }
  }

  private final HttpServer server;
  private final ExecutorService executor;
  private final RegistryStore store;

  private EmbeddedRegistry(HttpServer server, ExecutorService executor, RegistryStore store) {
    this.server = server;
    this.executor = executor;
    this.store = store;
  }

  /**
   * Starts a registry on a free port, or on the port it had in this directory before.
   *
   * @param dataDirectory where it keeps the registrations; made when missing
   * @throws UncheckedIOException when the directory is in use, damaged, or cannot be used
   */
  public static EmbeddedRegistry start(Path dataDirectory) {
    return start(dataDirectory, 0);
  }

  /**
   * Starts a registry.
   *
   * @param dataDirectory where it keeps the registrations; made when missing
   * @param port 1 to 65535: this one or none; 0: the one of the last run if it is free, else any
   * @throws IllegalStateException when the port is in use
   * @throws UncheckedIOException when the directory is in use, damaged, or cannot be used
   */
  public static EmbeddedRegistry start(Path dataDirectory, int port) {
    Path directory = dataDirectory.toAbsolutePath().resolve("registry");
    try {
      Files.createDirectories(directory);
      RegistryStore store = new RegistryStore(directory.resolve("journal.jsonl"));
      try {
        return serve(store, directory.resolve("port"), port);
      } catch (IOException | RuntimeException e) {
        store.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("registry in " + directory + ": " + e.getMessage(), e);
    }
  }

  /** What clients set as {@code schema.registry.url}. */
  public String url() {
    return "http://" + HOST + ":" + port();
  }

  /** The port that clients connect to. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Stops serving; the registrations stay. Doing it again does nothing. */
  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
    try {
      store.close();
    } catch (IOException e) {
      log.warn("closing the journal failed registry={}", url(), e);
    }
  }

  @Override
  public String toString() {
    return "EmbeddedRegistry[" + url() + "]";
  }

  private static EmbeddedRegistry serve(RegistryStore store, Path portFile, int port)
      throws IOException {
    HttpServer server = port == 0 ? bindPreferring(lastPort(portFile)) : bindOnly(port);
    ExecutorService executor =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "schema-registry");
              thread.setDaemon(true);
              return thread;
            });
    server.createContext("/", new HttpApi(new Routes(store)));
    server.setExecutor(executor);
    server.start();
    EmbeddedRegistry registry = new EmbeddedRegistry(server, executor, store);
    try {
      rememberPort(portFile, registry.port());
    } catch (IOException e) {
      registry.close();
      throw e;
    }
    log.info("registry started address={}", registry.url());
    return registry;
  }

  private static HttpServer bindPreferring(int port) throws IOException {
    try {
      return bind(port);
    } catch (BindException taken) {
      return bind(0);
    }
  }

  private static HttpServer bindOnly(int port) throws IOException {
    try {
      return bind(port);
    } catch (BindException e) {
      throw new IllegalStateException(
          "port " + port + " is in use: stop who uses it, or choose another", e);
    }
  }

  private static HttpServer bind(int port) throws IOException {
    return HttpServer.create(new InetSocketAddress(HOST, port), 0);
  }

  private static int lastPort(Path file) throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    try {
      int port = Integer.parseInt(Files.readString(file).strip());
      return port >= 0 && port <= 65_535 ? port : 0;
    } catch (NumberFormatException e) {
      // A damaged wish is no wish.
      return 0;
    }
  }

  private static void rememberPort(Path file, int port) throws IOException {
    Path next = file.resolveSibling("port.new");
    Files.writeString(next, port + "\n");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
