package dev.berth.driver.provider;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.driver.journal.JsonLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A provider's changes as a file of JSON lines. */
final class Journal implements AutoCloseable {

  /** Writes the components of records, and not what their methods derive from them. */
  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(MapperFeature.AUTO_DETECT_IS_GETTERS).build();

  private final JsonLines lines;

  private Journal(JsonLines lines) {
    this.lines = lines;
  }

  static Journal append(Path path) throws IOException {
    return new Journal(JsonLines.append(path));
  }

  static List<Change> read(Path path) throws IOException {
    List<Change> changes = new ArrayList<>();
    for (JsonNode line : JsonLines.read(path)) {
      try {
        changes.add(JSON.treeToValue(line, Change.class));
      } catch (JsonProcessingException e) {
        throw new IOException(
            "%s is not a provider's journal: cannot read the line %s; name another directory"
                .formatted(path, line),
            e);
      }
    }
    return changes;
  }

  void write(Change change) {
    lines.write(JSON.valueToTree(change));
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
