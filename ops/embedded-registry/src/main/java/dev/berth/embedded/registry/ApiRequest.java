package dev.berth.embedded.registry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.registry.Change.Reference;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request of the REST API, taken apart.
 *
 * @param path the variable parts of its path, decoded, in order
 * @param query the query parameters, decoded
 * @param body the JSON body, or a missing node
 */
record ApiRequest(List<String> path, Map<String, String> query, JsonNode body) {

  private static final String AVRO = "AVRO";

  static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  static Map<String, String> parseQuery(@Nullable String raw) {
    Map<String, String> query = new HashMap<>();
    if (raw != null) {
      for (String pair : raw.split("&", -1)) {
        int equals = pair.indexOf('=');
        if (equals >= 0) {
          query.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
        }
      }
    }
    return query;
  }

  String subject() {
    return path.get(0);
  }

  boolean flag(String name) {
    return Boolean.parseBoolean(query.getOrDefault(name, "false"));
  }

  /** A version in the path: a number, or {@code latest}. */
  int version(int index) {
    String text = path.get(index);
    if (text.equals("latest") || text.equals("-1")) {
      return RegistryStore.LATEST;
    }
    try {
      int version = Integer.parseInt(text);
      if (version >= 1) {
        return version;
      }
    } catch (NumberFormatException e) {
      // Answered below, like a number that is too small.
    }
    throw RegistryProblem.invalidVersion(text);
  }

  int schemaId() {
    try {
      return Integer.parseInt(path.get(0));
    } catch (NumberFormatException e) {
      throw RegistryProblem.noSuchPath("/schemas/ids/" + path.get(0));
    }
  }

  /** The text of the schema in the body. */
  String schema() {
    String type = body.path("schemaType").asText(AVRO);
    if (!type.equals(AVRO)) {
      throw RegistryProblem.invalidSchema("schemaType " + type + " is not served, only " + AVRO);
    }
    return text("schema");
  }

  List<Reference> references() {
    List<Reference> references = new ArrayList<>();
    for (JsonNode node : body.path("references")) {
      references.add(
          new Reference(
              node.path("name").asText(),
              node.path("subject").asText(),
              node.path("version").asInt()));
    }
    return references;
  }

  /** A text field of the body that must be there. */
  String text(String field) {
    JsonNode node = body.path(field);
    if (!node.isTextual()) {
      throw RegistryProblem.badRequest("the body has no text field '" + field + "'");
    }
    return node.asText();
  }
}
