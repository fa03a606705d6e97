package dev.berth.schemas.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.avro.Schema;

/**
 * The form of a generated record's schema that goes to the registry.
 *
 * <p>Generated schemas say with {@code avro.java.string} which Java class holds a string. That is
 * nobody else's business, and a schema registered with it differs from the same schema written by
 * another language.
 */
final class PublishedSchema {

  private static final String JAVA_STRING = "avro.java.string";
  private static final ObjectMapper JSON = new ObjectMapper();

  private PublishedSchema() {}

  static Schema of(Schema generated) {
    try {
      JsonNode tree = JSON.readTree(generated.toString());
      strip(tree);
      return new Schema.Parser().parse(tree.toString());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "schema " + generated.getFullName() + " does not print as JSON", e);
    }
  }

  private static void strip(JsonNode node) {
    if (node instanceof ObjectNode object && object.path("type").isTextual()) {
      object.remove(JAVA_STRING);
    }
    node.forEach(PublishedSchema::strip);
  }
}
