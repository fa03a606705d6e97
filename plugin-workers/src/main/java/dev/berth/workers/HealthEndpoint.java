package dev.berth.workers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * {@code GET /health} on the loopback: 200 while the worker polls, else 503; with a line for each
 * thing it waits for. One partition that waits does not make it unhealthy.
 */
final class HealthEndpoint implements AutoCloseable {

  private final HttpServer server;

  /**
   * Listens.
   *
   * @param port port on the loopback; 0 takes a free one
   * @param healthy asked by each request
   * @param waiting what it waits for, a line each; asked by each request
   * @throws UncheckedIOException if the port cannot be had
   */
  HealthEndpoint(int port, BooleanSupplier healthy, Supplier<List<String>> waiting) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("health.port=" + port + " cannot be listened on", e);
    }
    server.createContext(
        "/health", exchange -> answer(exchange, healthy.getAsBoolean(), waiting.get()));
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private static void answer(HttpExchange exchange, boolean healthy, List<String> waiting)
      throws IOException {
    StringBuilder lines = new StringBuilder(healthy ? "ok\n" : "no poll for 30 s\n");
    waiting.forEach(line -> lines.append(line).append('\n'));
    byte[] text = lines.toString().getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(healthy ? 200 : 503, text.length);
      exchange.getResponseBody().write(text);
    }
  }
}
