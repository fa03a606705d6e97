package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.terminal.Terminal;
import dev.berth.schemas.topics.Topic;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class BerthCommandTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  static Stream<String> commands() {
    return names("", BerthCommand.commandLine(Terminal.plain(System.out, System.err)));
  }

  @ParameterizedTest(name = "berth{0} --help")
  @MethodSource("commands")
  @DisplayName("every command has help with an example")
  void help(String command) {
    assertThat(run((command.strip() + " --help").strip().split(" ", -1))).isEqualTo(ExitCode.OK);
    assertThat(output(out)).contains("Usage: berth" + command).contains("Example");
    assertThat(output(err)).isEmpty();
  }

  @Test
  @DisplayName("an unknown option is a usage error that names it and says where help is")
  void unknownOption() {
    assertThat(run("topics", "describe", "--hlep")).isEqualTo(ExitCode.USAGE);
    assertThat(output(err))
        .isEqualTo("berth: Unknown option: '--hlep'\nTry 'berth topics describe --help'.\n");
  }

  @Test
  @DisplayName("an unknown command is a usage error with a suggestion")
  void unknownCommand() {
    assertThat(run("verison")).isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains("'verison'").contains("Did you mean: berth version?");
  }

  @Test
  @DisplayName("no command at all is a usage error")
  void nothing() {
    assertThat(run()).isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains("Missing command");
  }

  @Test
  @DisplayName("a value that cannot be used is a usage error that says which would do")
  void badPrefix() {
    assertThat(run("topics", "describe", "--prefix", "a b")).isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains("--prefix: topic prefix 'a b' is not usable");
  }

  @Test
  @DisplayName("topics describe lists the whole catalogue, as text and as JSON")
  void topics() throws JsonProcessingException {
    assertThat(run("topics", "describe")).isEqualTo(ExitCode.OK);
    assertThat(output(out).lines()).hasSize(1 + Topic.values().length);
    out.reset();
    assertThat(run("topics", "describe", "--prefix", "prod", "-o", "json")).isEqualTo(ExitCode.OK);
    JsonNode list = new ObjectMapper().readTree(output(out));
    assertThat(list).hasSize(Topic.values().length);
    assertThat(list.get(0).get("name").asText()).isEqualTo("prod.alloc-events");
    assertThat(list.get(0).get("subject").asText()).isEqualTo("prod.alloc-events-value");
  }

  @Test
  @DisplayName("version names Berth, Kafka and Java")
  void version() {
    assertThat(run("version")).isEqualTo(ExitCode.OK);
    assertThat(output(out).lines().map(line -> line.substring(0, line.indexOf(" "))).toList())
        .isEqualTo(List.of("berth", "kafka", "java"));
    assertThat(output(out)).doesNotContain("${");
  }

  private int run(String... args) {
    Terminal terminal =
        Terminal.plain(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    return BerthCommand.run(terminal, args);
  }

  private static String output(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  private static Stream<String> names(String name, CommandLine line) {
    return Stream.concat(
        Stream.of(name),
        line.getSubcommands().entrySet().stream()
            .flatMap(sub -> names(name + " " + sub.getKey(), sub.getValue())));
  }
}
