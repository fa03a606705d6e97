package dev.berth.ops.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.explore.Exploration;
import dev.berth.ops.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ScenarioExploreCommandTest {

  private static final Exploration WRONG =
      new Exploration(
          "a world",
          List.of("letters"),
          List.of("bounds"),
          3,
          2,
          1,
          1,
          3,
          false,
          Duration.ofSeconds(1),
          new Exploration.Violation(
              "the empty table cannot be reached",
              List.of("claim vS by s1 on n1 (write)", "s1 is gone"),
              "id: found\n",
              true));

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path directory = Path.of(".");

  @Test
  void aSearchThatFindsNothingSaysHowFarItLooked() {
    Path file = directory.resolve("found.yaml");

    assertThat(run("--states", "200", "--write", file.toString())).isEqualTo(ExitCode.OK);

    assertThat(output(out).lines())
        .anyMatch(line -> line.startsWith("World       volumes [vS, vM], nodes [n1, n2], two"))
        .anyMatch(line -> line.startsWith("Alphabet    claims: s1 on n1, s2 on n1, s2 on n2"))
        .anyMatch(line -> line.startsWith("Bound       records are handed over at once"))
        .anyMatch(line -> line.matches("States {6}\\d+ reached, every step tried from \\d+, .*"))
        .anyMatch(line -> line.matches("Steps {7}\\d[\\d,]* tried, \\d+ deep"))
        .anyMatch(line -> line.matches("Time {8}\\d+ s, \\d[\\d,]* states/s"))
        .endsWith("Nothing is wrong as far as was looked.");
    assertThat(file).doesNotExist();
  }

  @Test
  void jsonSaysTheSameInNumbers() throws IOException {
    assertThat(run("--states", "200", "--volumes", "single", "-o", "json")).isEqualTo(ExitCode.OK);

    JsonNode json = json();
    assertThat(json.at("/states").asInt()).isBetween(200, 260);
    assertThat(json.at("/healed")).isEqualTo(json.at("/states"));
    assertThat(json.at("/transitions").asInt()).isGreaterThan(200);
    assertThat(json.at("/depth").asInt()).isGreaterThan(1);
    assertThat(json.at("/complete").asBoolean(true)).isFalse();
    assertThat(json.at("/violation").isNull()).isTrue();
    assertThat(json.at("/alphabet/0").asText()).startsWith("claims: s1 on n1");
  }

  @Test
  void whatIsFoundDoesNotDependOnTheNumberOfThreads() throws IOException {
    assertThat(run("--states", "300", "--threads", "1", "-o", "json")).isEqualTo(ExitCode.OK);
    JsonNode one = json();
    out.reset();
    assertThat(run("--states", "300", "--threads", "3", "-o", "json")).isEqualTo(ExitCode.OK);

    for (String number : List.of("states", "expanded", "transitions", "depth", "healed")) {
      assertThat(json().get(number)).as(number).isEqualTo(one.get(number));
    }
  }

  @Test
  void whatIsWrongIsShownStepByStepAndWrittenAsAScenario() throws IOException {
    Path file = directory.resolve("new").resolve("found.yaml");

    assertThat(find(WRONG, "--write", file.toString())).isEqualTo(ExitCode.FAILED);

    assertThat(output(out).lines())
        .containsSubsequence(
            "Wrong       the empty table cannot be reached",
            "  claim vS by s1 on n1 (write)",
            "  s1 is gone",
            "Written to " + file);
    assertThat(Files.readString(file)).isEqualTo("id: found\n");
  }

  @Test
  void jsonNamesWhatIsWrongAndTheFile() throws IOException {
    Path file = directory.resolve("found.yaml");

    assertThat(find(WRONG, "-o", "json", "--write", file.toString())).isEqualTo(ExitCode.FAILED);

    JsonNode wrong = json().at("/violation");
    assertThat(wrong.at("/what").asText()).isEqualTo("the empty table cannot be reached");
    assertThat(wrong.at("/path")).hasSize(2);
    assertThat(wrong.at("/scenario").asText()).isEqualTo(file.toString());
    assertThat(wrong.at("/expressible").asBoolean()).isTrue();
  }

  @Test
  void whatIsNotUnderstoodIsAUsageErrorThatNamesOptionValueAndRemedy() {
    assertThat(run("--for", "soon")).isEqualTo(ExitCode.USAGE);
    assertThat(run("--states", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(run("--heal-every", "-1")).isEqualTo(ExitCode.USAGE);
    assertThat(run("--threads", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(run("--volumes", "all")).isEqualTo(ExitCode.USAGE);
    assertThat(run("--write", directory.toString())).isEqualTo(ExitCode.USAGE);

    assertThat(output(err))
        .contains("--for: 'soon' is no duration: write 30s, 5m or 1h")
        .contains("--states: 0 is too few: give 1 or more")
        .contains("--heal-every: -1 is negative: give 0 or more")
        .contains("--threads: 0 is too few: give 1 or more")
        .contains("--volumes: 'all' is not both, single or multi")
        .contains("--write: " + directory + " is a folder: name a file");
  }

  private int run(String... args) {
    String[] line = new String[args.length + 2];
    line[0] = "scenario";
    line[1] = "explore";
    System.arraycopy(args, 0, line, 2, args.length);
    return BerthCommand.run(terminal(), line);
  }

  /** The command over a search that finds something. */
  private int find(Exploration found, String... args) {
    return new CommandLine(
            new ScenarioExploreCommand(terminal(), (scope, nanoTime, watcher) -> found))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .execute(args);
  }

  private Terminal terminal() {
    return Terminal.plain(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(output(out));
  }

  private static String output(ByteArrayOutputStream stream) {
    return stream.toString(UTF_8);
  }
}
