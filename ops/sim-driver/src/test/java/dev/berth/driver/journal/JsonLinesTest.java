package dev.berth.driver.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesTest {

  @TempDir private Path directory;

  @Test
  void linesComeBackInOrderAlsoAfterReopening() throws IOException {
    Path file = directory.resolve("x.jsonl");
    try (JsonLines lines = JsonLines.append(file)) {
      lines.write(TextNode.valueOf("one\ntwo"));
    }
    try (JsonLines lines = JsonLines.append(file)) {
      lines.write(TextNode.valueOf("thr\u00e9e"));
    }

    assertThat(JsonLines.read(file))
        .extracting(JsonNode::asText)
        .containsExactly("one\ntwo", "thr\u00e9e");
  }

  @Test
  void incompleteLastLineIsCutOff() throws IOException {
    Path file = Files.writeString(directory.resolve("x.jsonl"), "1\n2\n{\"thr");

    assertThat(JsonLines.read(file)).hasSize(2);
    try (JsonLines lines = JsonLines.append(file)) {
      lines.write(TextNode.valueOf("3"));
    }
    assertThat(file).hasContent("1\n2\n\"3\"\n");
  }

  @Test
  void missingFileHasNoLines() throws IOException {
    assertThat(JsonLines.read(directory.resolve("none"))).isEmpty();
  }

  @Test
  void lineThatIsNoJsonIsNamed() throws IOException {
    Path file = Files.writeString(directory.resolve("x.jsonl"), "1\nhello\n");

    assertThatThrownBy(() -> JsonLines.read(file))
        .isInstanceOf(IOException.class)
        .hasMessage("%s, line 2 is not JSON; name another file", file);
  }
}
