package dev.berth.workers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HealthEndpointTest {

  @Test
  void healthFollowsThePolls() throws IOException, InterruptedException {
    AtomicBoolean polls = new AtomicBoolean(true);
    try (HealthEndpoint health = new HealthEndpoint(0, polls::get, List::of)) {
      assertThat(status(health)).isEqualTo(200);

      polls.set(false);

      assertThat(status(health)).isEqualTo(503);
    }
  }

  @Test
  void whatItWaitsForIsSaidWithoutMakingItUnhealthy() throws IOException, InterruptedException {
    try (HealthEndpoint health =
        new HealthEndpoint(0, () -> true, () -> List.of("p-3 waits at offset 7: no registry"))) {
      assertThat(status(health)).isEqualTo(200);
      assertThat(body(health)).isEqualTo("ok\np-3 waits at offset 7: no registry\n");
    }
  }

  private static String body(HealthEndpoint health) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + health.port() + "/health");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static int status(HealthEndpoint health) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + health.port() + "/health");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
