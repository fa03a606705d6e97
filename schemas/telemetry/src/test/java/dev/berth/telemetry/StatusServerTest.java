package dev.berth.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The status server")
class StatusServerTest {
  private final AtomicReference<Condition> health =
      new AtomicReference<>(new Condition(true, List.of("alive")));
  private final AtomicReference<Condition> ready =
      new AtomicReference<>(new Condition(false, List.of("rebalancing")));
  private final Meters meters = new Meters();
  private final StatusServer server = new StatusServer(0, health::get, ready::get, meters);

  @AfterEach
  void close() {
    server.close();
    meters.close();
  }

  @Test
  @DisplayName("says of a process that lives and does no work yet: alive, and not ready")
  void aliveAndNotReady() throws IOException, InterruptedException {
    assertThat(get("/health")).isEqualTo("200 alive\n");
    assertThat(get("/ready")).isEqualTo("503 rebalancing\n");
  }

  @Test
  @DisplayName("asks anew with each request, and tells what is waited for")
  void asksAnew() throws IOException, InterruptedException {
    ready.set(new Condition(true, List.of("running")).with(List.of("p-3 waits at offset 7")));
    health.set(new Condition(false, List.of("failed: no topics")));

    assertThat(get("/ready")).isEqualTo("200 running\np-3 waits at offset 7\n");
    assertThat(get("/health")).isEqualTo("503 failed: no topics\n");
  }

  @Test
  @DisplayName("shows the meters as Prometheus reads them")
  void meters() throws IOException, InterruptedException {
    meters.registry().counter("berth.test", "plugin", "ebs").increment(3);

    assertThat(get("/metrics"))
        .startsWith("200 # HELP")
        .contains("berth_test_total{plugin=\"ebs\"} 3.0\n")
        .contains("jvm_memory_used_bytes{area=\"heap\"")
        .contains("process_uptime_seconds ");
  }

  @Test
  @DisplayName("names the key when its port is taken")
  void portTaken() {
    assertThatThrownBy(() -> new StatusServer(server.port(), health::get, ready::get, meters))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("health.port=" + server.port() + " cannot be listened on: set another, or 0");
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(server.url(path))).build(),
                HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }
}
