package dev.berth.ops.lives;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.driver.journal.JsonLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The lives of a run, in a file of JSON lines in its data directory: the watching process writes
 * it, and the last life reads it for its report.
 */
public final class LifeBook implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonLines lines;

  private LifeBook(JsonLines lines) {
    this.lines = lines;
  }

  /**
   * Opens the book of a data directory for writing.
   *
   * @throws UncheckedIOException when that cannot be
   */
  public static LifeBook open(Path data) {
    try {
      return new LifeBook(JsonLines.append(file(data)));
    } catch (IOException e) {
      throw new UncheckedIOException("lives of " + data + ": " + e.getMessage(), e);
    }
  }

  /**
   * The lives so far; none when nobody has written of any.
   *
   * @throws UncheckedIOException when the file cannot be read
   */
  public static List<Life> read(Path data) {
    try {
      List<Life> lives = new ArrayList<>();
      for (JsonNode line : JsonLines.read(file(data))) {
        Instant at = Instant.parse(line.required("at").asText());
        if (line.required("event").asText().equals("started")) {
          lives.add(new Life(at, Optional.empty()));
        } else {
          Life.Kill kill =
              new Life.Kill(
                  at,
                  line.required("during").asText(),
                  line.required("done").asInt(),
                  line.required("total").asInt());
          lives.set(
              lives.size() - 1,
              new Life(lives.get(lives.size() - 1).startedAt(), Optional.of(kill)));
        }
      }
      return List.copyOf(lives);
    } catch (IOException e) {
      throw new UncheckedIOException("lives of " + data + ": " + e.getMessage(), e);
    }
  }

  void started(Instant at) {
    lines.write(line("started", at));
  }

  void killed(Life.Kill kill) {
    ObjectNode line = line("killed", kill.at());
    line.put("during", kill.during());
    line.put("done", kill.done());
    line.put("total", kill.total());
    lines.write(line);
  }

  private static ObjectNode line(String event, Instant at) {
    return JSON.createObjectNode().put("at", at.toString()).put("event", event);
  }

  private static Path file(Path data) {
    return data.resolve("lives.jsonl");
  }

  @Override
  public void close() {
    try {
      lines.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the lives cannot be closed: " + e.getMessage(), e);
    }
  }
}
