package dev.berth.ops.alert;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Takes messages to an HTTP address, each as the JSON body of a POST. A message has the header
 * {@code Idempotency-Key}: one that comes twice has the same.
 */
public final class Webhook {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final URI address;
  private final HttpClient client;

  private Webhook(URI address) {
    this.address = address;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(PATIENCE)
            // What is posted must not end up where nobody has put it.
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /**
   * Checks an address.
   *
   * @throws IllegalArgumentException saying what is wrong with it, without the address itself: many
   *     have a secret in their path
   */
  public static Webhook at(String address) {
    URI uri;
    try {
      uri = URI.create(address.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the webhook's address is no URL: write https://host/path", e);
    }
    String scheme = String.valueOf(uri.getScheme());
    boolean known = scheme.equals("http") || scheme.equals("https");
    if (!known || uri.getHost() == null) {
      throw new IllegalArgumentException(
          "the webhook's address does not begin with http://host or https://host");
    }
    return new Webhook(uri);
  }

  /** Takes a message there. Returns why it was not taken; empty when it was. */
  Optional<String> deliver(Alert alert) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", alert.id())
            .POST(HttpRequest.BodyPublishers.ofString(alert.json(), StandardCharsets.UTF_8))
            .build();
    try {
      int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      return status / 100 == 2 ? Optional.empty() : Optional.of("it answers " + status);
    } catch (IOException e) {
      return Optional.of(e.getClass().getSimpleName());
    }
  }

  /** Host and port, without what may be secret. */
  @Override
  public String toString() {
    return address.getScheme()
        + "://"
        + address.getHost()
        + (address.getPort() < 0 ? "" : ":" + address.getPort());
  }
}
