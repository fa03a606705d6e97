package dev.berth.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workers.config.PluginAddress;
import dev.berth.workers.config.WorkerConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker says of itself, on a real broker. */
class WorkerStatusIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path directory;
  private WorkerStack stack;
  private PluginAddress address;

  @BeforeEach
  void start() throws IOException {
    stack = WorkerStack.start(directory);
    try (FakePlugin plugin = FakePlugin.start()) {
      address = plugin.address();
    }
  }

  @AfterEach
  void stop() {
    stack.close();
  }

  @Test
  void aWorkerIsReadyWhenItAcceptsAndItsPluginIsWellAndShowsItsCalls() throws Exception {
    try (Worker worker = new Worker(WorkerConfig.parse(settings()))) {
      worker.start();
      int port = worker.healthPort().orElseThrow();
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(get(port, "/ready"))
                      .isEqualTo(
                          "503 no plugin is well\nplugin not well: fake at " + address + "\n"));
      assertThat(get(port, "/health")).isEqualTo("200 ok\n");
      assertThat(get(port, "/metrics"))
          .contains("\nberth_ready 0.0\n", "\nberth_plugin_endpoints{well=\"false\"} 1.0\n");

      try (FakePlugin ignored = FakePlugin.startAt(address)) {
        await()
            .atMost(SOON)
            .untilAsserted(() -> assertThat(get(port, "/ready")).isEqualTo("200 ok\n"));
        stack.dispatch(WorkFixtures.work("t1").setDispatchedAt(Instant.now()).build());
        await().atMost(SOON).until(() -> stack.outcomes("ebs").size() == 1);

        assertThat(get(port, "/metrics"))
            .contains(
                "\nberth_ready 1.0\n",
                "\nberth_open_attempts 0.0\n",
                "\nberth_rpc_seconds_count{answered=\"true\",code=\"OK\",plugin=\"ebs\","
                    + "rpc=\"ControllerPublishVolume\"} 1\n",
                "kafka_consumer_",
                "kafka_producer_")
            .doesNotContain("vol-1", "default/v1", "\"a1\"", "t1\"");
      }
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(stack.workerSettings("w1"));
    settings.put("health.port", "0");
    settings.put("plugins.fake.endpoint", address.text());
    settings.put("plugins.fake.plugin", "ebs");
    settings.put("plugins.fake.role", "controller");
    settings.put("plugins.fake.node", "n1");
    return settings;
  }

  private static String get(int port, String path) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }
}
