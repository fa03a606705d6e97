package dev.berth.ops.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

@DisplayName("A line of the log in JSON")
class JsonLinesTest {
  private final Logger logger =
      (Logger) LoggerFactory.getLogger("dev.berth.workers.call.AttemptRun");

  @Test
  @DisplayName("has what the message names as fields")
  void fields() throws IOException {
    assertThat(
            line(
                event(
                    "call ended rpc={} plugin={} volume={}/{} alloc={} attempt={} ms={}",
                    "CONTROLLER_PUBLISH",
                    "ebs",
                    "prod",
                    "db",
                    "a1",
                    "ebs/7-1",
                    17)))
        .isEqualTo(
            object(
                "at", "2030-01-01T00:00:00Z",
                "level", "INFO",
                "logger", "dev.berth.workers.call.AttemptRun",
                "thread", "call-1",
                "message",
                    "call ended rpc=CONTROLLER_PUBLISH plugin=ebs volume=prod/db alloc=a1"
                        + " attempt=ebs/7-1 ms=17",
                "rpc", "CONTROLLER_PUBLISH",
                "plugin", "ebs",
                "volume", "prod/db",
                "alloc", "a1",
                "attempt", "ebs/7-1",
                "ms", "17"));
  }

  @Test
  @DisplayName("takes no punctuation of the sentence into a field, and no word for one")
  void sentences() throws IOException {
    JsonNode line =
        line(event("cannot decide volume={} why={}, left alone for {}", "a/v", "due", "PT1M"));

    assertThat(line.get("volume").asText()).isEqualTo("a/v");
    assertThat(line.get("why").asText()).isEqualTo("due");
    assertThat(line.has("for")).isFalse();
    assertThat(
            line(event("stream thread failed fault={}: {}", "TOPICS", "x")).get("fault").asText())
        .isEqualTo("TOPICS");
  }

  @Test
  @DisplayName("stays one line, and keeps its own fields, whatever a message brings")
  void hostile() throws IOException {
    String text =
        new String(
            encode(event("message={} level={}", "a\n{\"level\":\"FATAL\"}", "\"}")),
            StandardCharsets.UTF_8);

    assertThat(text.strip()).doesNotContain("\n");
    JsonNode line = new ObjectMapper().readTree(text);
    assertThat(line.get("level").asText()).isEqualTo("INFO");
    assertThat(line.get("field.level").asText()).isEqualTo("\"}");
    assertThat(line.get("field.message").asText()).isEqualTo("a\n{\"level\":\"FATAL\"}");
  }

  @Test
  @DisplayName("has the stack of an error, and pairs of the fluent API")
  void errorAndPairs() throws IOException {
    LoggingEvent event = event("it failed plugin={}", "ebs", new IllegalStateException("broken"));
    event.addKeyValuePair(new KeyValuePair("node", "n1"));

    JsonNode line = line(event);

    assertThat(line.get("plugin").asText()).isEqualTo("ebs");
    assertThat(line.get("node").asText()).isEqualTo("n1");
    assertThat(line.get("error").asText())
        .startsWith("java.lang.IllegalStateException: broken")
        .contains("JsonLinesTest");
  }

  @Test
  @DisplayName("is asked for by log.format, and what is neither json nor text is refused")
  void setting() {
    assertThat(LogFormat.of(Map.of("log.format", "json"))).isEqualTo(LogFormat.JSON);
    assertThat(LogFormat.of(Map.of("log.format", " text "))).isEqualTo(LogFormat.TEXT);
    assertThat(LogFormat.of(Map.of())).isEqualTo(LogFormat.TEXT);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LogFormat.parse("xml"))
        .withMessage("log.format=xml: set text or json");
  }

  private LoggingEvent event(String message, @Nullable Object... arguments) {
    LoggingEvent event = new LoggingEvent("caller", logger, Level.INFO, message, null, arguments);
    event.setInstant(Instant.parse("2030-01-01T00:00:00Z"));
    event.setThreadName("call-1");
    return event;
  }

  private static byte[] encode(LoggingEvent event) {
    JsonLines lines = new JsonLines();
    lines.start();
    return lines.encode(event);
  }

  private static JsonNode line(LoggingEvent event) throws IOException {
    return new ObjectMapper().readTree(encode(event));
  }

  private static ObjectNode object(String... fields) {
    ObjectNode object = new ObjectMapper().createObjectNode();
    for (int i = 0; i < fields.length; i += 2) {
      object.put(fields[i], fields[i + 1]);
    }
    return object;
  }
}
