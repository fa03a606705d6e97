package dev.berth.driver.calls;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.driver.journal.JsonLines;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A call log as a file of JSON lines. */
final class CallLogFile implements CallLog.Store {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path path;
  private final JsonLines lines;

  private CallLogFile(Path path, JsonLines lines) {
    this.path = path;
    this.lines = lines;
  }

  static CallLogFile append(Path path) throws IOException {
    return new CallLogFile(path, JsonLines.append(path));
  }

  static List<CallEvent> read(Path path) throws IOException {
    List<CallEvent> events = new ArrayList<>();
    for (JsonNode line : JsonLines.read(path)) {
      events.add(decode(line, path));
    }
    return events;
  }

  @Override
  public List<CallEvent> events() throws IOException {
    return read(path);
  }

  @Override
  public void write(CallEvent event) {
    lines.write(encode(event));
  }

  static ObjectNode encode(CallEvent event) {
    ObjectNode line = JSON.createObjectNode();
    line.put("seq", event.sequence());
    line.put("at", event.at().toString());
    if (event instanceof CallEvent.Started started) {
      line.put("event", "started");
      encode(started.facts(), line);
    } else if (event instanceof CallEvent.Affected affected) {
      line.put("event", "affected");
      line.put("call", affected.call());
    } else if (event instanceof CallEvent.Ended ended) {
      line.put("event", "ended");
      line.put("call", ended.call());
      line.put("code", ended.code().name());
      line.put("message", ended.message());
    } else {
      line.put("event", "restarted");
    }
    return line;
  }

  private static void encode(CallFacts facts, ObjectNode line) {
    line.put("plugin", facts.plugin());
    line.put("instance", facts.instance());
    line.put("rpc", facts.rpc().csiName());
    line.put("volume", facts.volume());
    line.put("node", facts.node());
    line.put("path", facts.path());
    line.put("readonly", facts.readonly());
  }

  static CallEvent decode(JsonNode line, Path path) throws IOException {
    try {
      long sequence = line.required("seq").asLong();
      Instant at = Instant.parse(line.required("at").asText());
      String event = line.required("event").asText();
      return switch (event) {
        case "started" -> new CallEvent.Started(sequence, at, decodeFacts(line));
        case "affected" -> new CallEvent.Affected(sequence, at, line.required("call").asLong());
        case "ended" ->
            new CallEvent.Ended(
                sequence,
                at,
                line.required("call").asLong(),
                Status.Code.valueOf(line.required("code").asText()),
                line.required("message").asText());
        case "restarted" -> new CallEvent.Restarted(sequence, at);
        default -> throw new IllegalArgumentException("no such event: " + event);
      };
    } catch (RuntimeException e) {
      throw new IOException(
          "%s is not a call log: cannot read the line %s; name another file".formatted(path, line),
          e);
    }
  }

  private static CallFacts decodeFacts(JsonNode line) {
    return new CallFacts(
        line.required("plugin").asText(),
        line.required("instance").asText(),
        Rpc.parse(line.required("rpc").asText()),
        line.required("volume").asText(),
        line.required("node").asText(),
        line.required("path").asText(),
        line.required("readonly").asBoolean());
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
