package dev.berth.ops.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Map;

/**
 * What a request is answered with.
 *
 * @param status HTTP status
 * @param type content type
 * @param body body
 * @param headers further headers
 */
record Reply(int status, String type, String body, Map<String, String> headers) {
  private static final String JSON = "application/json";

  /** Keeps a copy. */
  Reply {
    headers = Map.copyOf(headers);
  }

  static Reply json(int status, JsonNode body) {
    return new Reply(status, JSON, body + "\n", Map.of());
  }

  /** What is wrong, and what would help. */
  static Reply error(int status, String text) {
    return json(status, JsonNodeFactory.instance.objectNode().put("error", text));
  }

  Reply with(Map<String, String> more) {
    return new Reply(status, type, body, more);
  }
}
