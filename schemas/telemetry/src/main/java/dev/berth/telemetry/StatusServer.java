package dev.berth.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * What a process says of itself, on the loopback only: {@code GET /health} (is it alive: to start
 * it again would help when not), {@code GET /ready} (does it do its work now) and {@code GET
 * /metrics}. The first two answer 200 for yes and 503 for no, with the reasons; each request asks
 * anew.
 */
public final class StatusServer implements AutoCloseable {
  private static final String PLAIN = "text/plain; charset=utf-8";

  private final HttpServer server;

  /** Not the server's own thread: a scrape that takes long must not make the process look dead. */
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          2,
          task -> {
            Thread thread = new Thread(task, "status");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Listens.
   *
   * @param port port on the loopback; 0 takes a free one
   * @param health whether it is alive
   * @param ready whether it does its work
   * @param meters its meters
   * @throws UncheckedIOException if the port cannot be had
   */
  public StatusServer(
      int port, Supplier<Condition> health, Supplier<Condition> ready, Meters meters) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "health.port=" + port + " cannot be listened on: set another, or 0", e);
    }
    server.setExecutor(threads);
    server.createContext("/health", exchange -> tell(exchange, health.get()));
    server.createContext("/ready", exchange -> tell(exchange, ready.get()));
    server.createContext(
        "/metrics", exchange -> answer(exchange, 200, Meters.TEXT, meters.scrape()));
    server.start();
  }

  /** Port it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Where a path is reached, for people. */
  public String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private static void tell(HttpExchange exchange, Condition condition) throws IOException {
    answer(exchange, condition.good() ? 200 : 503, PLAIN, condition.text());
  }

  private static void answer(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] text = body.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, text.length);
      exchange.getResponseBody().write(text);
    }
  }
}
