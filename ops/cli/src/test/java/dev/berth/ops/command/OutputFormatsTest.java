package dev.berth.ops.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.chaos.ChaosSchedule;
import dev.berth.ops.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** Commands that ask no instance print their results in every format too. */
class OutputFormatsTest {
  private static final String EVENT =
      """
      {"event":"claim","alloc":"a1","node":"n1","namespace":"prod","volume":"db","mode":"write","access":"single-node-writer"}
      """;

  private static final String RESULTS =
      """
      [{"seed":1,"seconds":60,"callsOutlive":false,"groups":"%s","good":true,"schedule":%d}]
      """;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  @TempDir private Path directory = Path.of(".");

  @ParameterizedTest(name = "berth {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          version                                       | /kafka           | kafka
          feed trace --dry-run                          | /claimsOfPlugin/ebs | claimsOfPlugin
          feed events EVENTS --dry-run --scheduler east | /events          | 1 event can be said
          scenario run --only S08                       | /passed          | passed
          scenario explore --states 100 --write FOUND   | /states          | States
          topics describe claims                        | /0/partitions    | claims
          node apply --scheduler s -f NODES --dry-run   | /checked         | nothing was sent
          """)
  @DisplayName("text, wide, JSON and YAML")
  void formats(String line, String pointer, String text) throws IOException {
    Path events = Files.writeString(directory.resolve("events.jsonl"), EVENT);
    String filled =
        line.replace("EVENTS", events.toString())
            .replace("FOUND", directory.resolve("found.yaml").toString())
            .replace("NODES", Path.of("examples", "nodes.yaml").toString());

    assertThat(run(filled)).as(err.toString(UTF_8)).isEqualTo(ExitCode.OK);
    assertThat(out.toString(UTF_8)).contains(text);
    assertThat(run(filled + " -o wide")).isEqualTo(ExitCode.OK);
    assertThat(out.toString(UTF_8)).contains(text);
    assertThat(run(filled + " -o json")).isEqualTo(ExitCode.OK);
    JsonNode json = new ObjectMapper().readTree(out.toString(UTF_8));
    assertThat(json.at(pointer).isMissingNode()).as(json.toString()).isFalse();
    assertThat(run(filled + " -o yaml")).isEqualTo(ExitCode.OK);
    JsonNode yaml = new ObjectMapper().valueToTree(new Yaml().<Object>load(out.toString(UTF_8)));
    assertThat(yaml.at(pointer).isMissingNode()).as(yaml.toString()).isFalse();
  }

  @Test
  @DisplayName("chaos prints the results of all its seeds, those of an earlier run too")
  void chaos() throws IOException {
    Path file = directory.resolve("chaos.json");
    String line = "chaos --seed 1 --minutes 1 --groups classic --resume " + file;
    Files.writeString(file, RESULTS.formatted("classic", ChaosSchedule.VERSION));

    assertThat(run(line + " -o json")).as(err.toString(UTF_8)).isEqualTo(ExitCode.OK);
    JsonNode json = new ObjectMapper().readTree(out.toString(UTF_8));
    assertThat(json).isEqualTo(new ObjectMapper().readTree(file.toFile()));
    assertThat(run(line + " -o yaml")).isEqualTo(ExitCode.OK);
    assertThat(new ObjectMapper().<JsonNode>valueToTree(new Yaml().load(out.toString(UTF_8))))
        .isEqualTo(json);
    assertThat(run(line + " -o wide")).isEqualTo(ExitCode.OK);
    assertThat(out.toString(UTF_8)).isEmpty();
  }

  private int run(String line) {
    out.reset();
    err.reset();
    return BerthCommand.run(
        Terminal.plain(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)),
        line.split(" +", -1));
  }
}
