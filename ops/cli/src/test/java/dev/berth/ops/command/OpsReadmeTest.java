package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.berth.ops.terminal.Terminal;
import dev.berth.records.Command;
import dev.berth.records.RetryVolume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The page for operators, which nothing else compiles. */
class OpsReadmeTest {
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  @Test
  @DisplayName("every command line of the page is one that berth understands")
  void understood() throws IOException {
    List<String> lines =
        Files.readAllLines(Path.of("..", "README.md")).stream()
            .filter(line -> line.startsWith("    $ berth "))
            .map(line -> line.substring("    $ berth ".length()))
            .toList();
    assertThat(lines).hasSizeGreaterThan(7);
    for (String line : lines) {
      assertThatCode(
              () ->
                  BerthCommand.commandLine(Terminal.plain(System.out, System.err))
                      .parseArgs(words(line)))
          .as(line)
          .doesNotThrowAnyException();
    }
  }

  @Test
  @DisplayName("the record of the page that any producer may write is a command to retry")
  void record() throws IOException {
    String page = Files.readString(Path.of("..", "README.md"));
    Matcher json = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(json.find()).isTrue();

    GenericRecord command =
        new GenericDatumReader<GenericRecord>(Command.getClassSchema())
            .read(null, DecoderFactory.get().jsonDecoder(Command.getClassSchema(), json.group(1)));

    GenericRecord body = (GenericRecord) command.get("body");
    assertThat(body.getSchema()).isEqualTo(RetryVolume.getClassSchema());
    assertThat(body).hasToString("{\"namespace\": \"prod\", \"volume\": \"db\", \"alloc\": null}");
    assertThat(command.get("by")).hasToString("ann");
  }

  private static String[] words(String line) {
    List<String> words = new ArrayList<>();
    for (Matcher word = WORD.matcher(line); word.find(); ) {
      words.add(word.group(1) == null ? word.group(2) : word.group(1));
    }
    return words.toArray(String[]::new);
  }
}
