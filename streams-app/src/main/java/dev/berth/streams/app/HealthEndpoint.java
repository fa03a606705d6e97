package dev.berth.streams.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/**
 * {@code GET /health} on the loopback: 200 while the application runs, else 503; with its state,
 * and a line for each topic-partition that waits. One that waits does not make it unhealthy: to
 * start the process again would not help.
 */
final class HealthEndpoint implements AutoCloseable {
  private final HttpServer server;

  /**
   * Listens.
   *
   * @param port port on the loopback; 0 takes a free one
   * @param state asked by each request
   * @param waiting what waits, a line each; asked by each request
   * @throws UncheckedIOException if the port cannot be had
   */
  HealthEndpoint(int port, Supplier<AppState> state, Supplier<List<String>> waiting) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "health.port=" + port + " cannot be listened on: set another, or 0", e);
    }
    server.createContext("/health", exchange -> answer(exchange, state.get(), waiting.get()));
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private static void answer(HttpExchange exchange, AppState state, List<String> waiting)
      throws IOException {
    StringBuilder lines = new StringBuilder(state.text()).append('\n');
    waiting.forEach(line -> lines.append(line).append('\n'));
    byte[] text = lines.toString().getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(state.running() ? 200 : 503, text.length);
      exchange.getResponseBody().write(text);
    }
  }
}
