package dev.berth.ops.chaos;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Asks a process of Berth whether it is ready, as an orchestrator does that rolls it. */
final class ReadyProbe {

  /** Longer than a session that a process ended without leaving its group, and a rebalance. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static final Duration ONE_ANSWER = Duration.ofSeconds(5);
  private static final long PAUSE_MILLIS = 250;
  private static final int OK = 200;

  private ReadyProbe() {}

  /**
   * Waits until {@code /ready} answers 200.
   *
   * @param name of the process, for the error
   * @param port where it tells
   * @throws IllegalStateException when it does not in time, with its last answer
   */
  static void await(String name, int port) throws InterruptedException {
    HttpClient client = HttpClient.newBuilder().connectTimeout(ONE_ANSWER).build();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/ready".formatted(port)))
            .timeout(ONE_ANSWER)
            .build();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String last = "";
    while (System.nanoTime() < deadline) {
      try {
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() == OK) {
          return;
        }
        last = answer.body();
      } catch (IOException e) {
        last = "no answer: " + e;
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
    throw new IllegalStateException(
        "process %s was not ready %d s after its restart: %s"
            .formatted(name, PATIENCE.toSeconds(), last));
  }
}
