package dev.berth.ops.browser;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What is looked at of every request before it is answered. */
final class Requests {
  private static final int LARGEST_FORM = 4_096;
  private static final String FORM = "application/x-www-form-urlencoded";

  private Requests() {}

  /**
   * Refuses what a page of somebody else has sent: one that has a name of its own resolved to the
   * loopback (DNS rebinding) by the name, and a form of another page by the origin.
   *
   * @param names names that the door goes by
   */
  static void requireOwn(HttpExchange exchange, Set<String> names) {
    String host = first(exchange, "Host");
    if (!names.contains(host.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT))) {
      throw new RefusedException(
          421, "this door does not go by the name of the request; --host NAME adds one");
    }
    List<String> origins = exchange.getRequestHeaders().getOrDefault("Origin", List.of());
    for (String origin : origins) {
      if (!origin.replaceFirst("^https?://", "").equalsIgnoreCase(host)) {
        throw new RefusedException(403, "a page of another origin has sent this");
      }
    }
  }

  /** The fields of a form. */
  static Map<String, String> form(HttpExchange exchange) throws IOException {
    if (!first(exchange, "Content-Type").split(";", 2)[0].strip().equalsIgnoreCase(FORM)) {
      throw new RefusedException(415, "send a form: " + FORM);
    }
    byte[] body = exchange.getRequestBody().readNBytes(LARGEST_FORM + 1);
    if (body.length > LARGEST_FORM) {
      throw new RefusedException(413, "the form is larger than %d bytes".formatted(LARGEST_FORM));
    }
    return fields(new String(body, StandardCharsets.US_ASCII));
  }

  /** The fields behind the path. */
  static Map<String, String> query(HttpExchange exchange) {
    String query = exchange.getRequestURI().getRawQuery();
    return fields(query == null ? "" : query);
  }

  private static Map<String, String> fields(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String pair : text.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      if (!pair.isEmpty()) {
        fields.put(decoded(parts[0]), parts.length > 1 ? decoded(parts[1]) : "");
      }
    }
    return fields;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(400, "the fields are not URL-encoded");
    }
  }

  private static String first(HttpExchange exchange, String header) {
    String value = exchange.getRequestHeaders().getFirst(header);
    return value == null ? "" : value;
  }
}
