package dev.berth.ops.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A command that runs for long")
class CommandStatusTest {

  @Test
  @DisplayName("shows its meters, that it is alive, and what is in its way")
  void shows() throws Exception {
    try (CommandStatus status = new CommandStatus(OptionalInt.of(0))) {
      Counter.builder("berth.alerts.taken").register(status.registry()).increment();
      String metrics = status.url().orElseThrow();

      assertThat(get(metrics).body()).contains("berth_alerts_taken_total 1.0\n", "jvm_memory_");
      assertThat(get(metrics.replace("metrics", "health")).statusCode()).isEqualTo(200);
      assertThat(get(metrics.replace("metrics", "ready")).statusCode()).isEqualTo(200);

      status.trouble(Optional.of("it answers 503"));

      HttpResponse<String> ready = get(metrics.replace("metrics", "ready"));
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body()).isEqualTo("it answers 503\n");
      assertThat(get(metrics.replace("metrics", "health")).statusCode()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("serves nothing unless it is asked to")
  void nothing() {
    try (CommandStatus status = CommandStatus.unserved()) {
      assertThat(status.url()).isEmpty();
    }
  }

  private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }
}
