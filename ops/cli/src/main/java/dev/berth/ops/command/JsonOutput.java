package dev.berth.ops.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;

/** JSON as the commands print it: indented, one document. */
public final class JsonOutput {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final ObjectWriter WRITER = MAPPER.writerWithDefaultPrettyPrinter();

  private JsonOutput() {}

  /** What makes the nodes of a document. */
  public static ObjectMapper mapper() {
    return MAPPER;
  }

  /** The document as text. */
  public static String text(JsonNode document) {
    try {
      return WRITER.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a JSON tree could not be written", e);
    }
  }
}
