package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The process")
class MainTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  @DisplayName("says in one line why its configuration cannot be used, and exits 2")
  void configuration() throws InterruptedException {
    assertThat(run("--threads=many")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualToNormalizingNewlines(
            "berth streams: threads=many: set a whole number from 1 to 64\n");
  }

  @Test
  @DisplayName("says that its health port is taken, and exits 2")
  void healthPort() throws IOException, InterruptedException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();

      assertThat(run("--health.port=" + port)).isEqualTo(2);
      assertThat(err.toString(StandardCharsets.UTF_8))
          .isEqualToNormalizingNewlines(
              "berth streams: health.port=%d cannot be listened on: set another, or 0\n"
                  .formatted(port));
    }
  }

  @Test
  @DisplayName("passes over what is for callers of its API, and says that it does not form the log")
  void others() throws IOException, InterruptedException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int status =
          Main.run(
              List.of("--health.port=" + taken.getLocalPort(), "--log.format=json"),
              Map.of(
                  "BERTH_BOOTSTRAP_SERVERS", "127.0.0.1:1",
                  "BERTH_SCHEMA_REGISTRY_URL", "http://127.0.0.1:1",
                  "BERTH_API", "127.0.0.1:7070",
                  "BERTH_API_TOKEN_FILE", "/run/token"),
              new PrintStream(err, true, StandardCharsets.UTF_8));

      assertThat(status).isEqualTo(2);
      assertThat(err.toString(StandardCharsets.UTF_8))
          .startsWith("berth streams: log.format is passed over here")
          .contains("cannot be listened on")
          .doesNotContain("BERTH_API");
    }
  }

  private int run(String flag) throws InterruptedException {
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    Map<String, String> environment =
        Map.of(
            "BERTH_BOOTSTRAP_SERVERS", "127.0.0.1:1",
            "BERTH_SCHEMA_REGISTRY_URL", "http://127.0.0.1:1");
    return Main.run(List.of(flag), environment, stream);
  }
}
