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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
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
        .isEqualTo("berth: unknown option '--hlep'\nTry 'berth topics describe --help'.\n");
  }

  @Test
  @DisplayName("an option that is nearly one names that one")
  void nearlyAnOption() {
    assertThat(run("demo", "--pod", "5")).isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains("unknown option '--pod'; did you mean --pods");
  }

  @Test
  @DisplayName("an argument too many is named")
  void unexpectedArgument() {
    assertThat(run("version", "now")).isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains("unexpected argument 'now'");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          version -o xml         | 'xml' is not text or wide or json or yaml
          topics describe -o xml | 'xml' is not text or wide or json or yaml
          demo --pods abc        | '--pods': 'abc' is not a whole number
          demo --pods 9999999999 | '--pods': '9999999999' is out of range
          demo --pods 0          | --pods 0: give at least 1
          demo --speed fast      | '--speed': speed 'fast' is no number
          demo --kill 0          | --kill: kills 0: give 1 to 50
          demo --trace pods.csv  | --trace and --nodes go together
          demo --latency fast    | '--latency': 'fast' is not a latency; write none, 200ms
          dev --latency fast     | '--latency': 'fast' is not a latency; write none, 200ms
          dev --latency uniform:1:2s | '--latency': '1' is not a duration; write a number
          policy set plugin/ebs run=99 | 'plugin/ebs', run = '99': it is not a whole number from 0 to
          policy set volume/a/b run=1 | it cannot be set that narrowly; set it in plugin/<id>
          policy set plugin/a/b run=1 | policy 'plugin/a/b': no policy can have that name
          policy set plugin/ebs runs=1 | runs = '1': there is no such key
          policy set plugin/ebs run | 'run' sets nothing: write KEY=VALUE
          policy unset plugin/ebs | name keys, or give --all: one of both
          policy get ebs         | policy 'ebs': no policy can have that name
          session serve --listen 192.0.2.1 | 192.0.2.1: without TLS everybody on the way could read
          session serve --listen no.such.example | no.such.example: the host is not known
          session serve --tls-key k | --tls-certificate and --tls-key go together
          session serve --tls-certificate none --tls-key none | --tls-certificate=none: there is no
          session serve --api 192.0.2.1:7070 | api=192.0.2.1:7070: without TLS everybody
          dev --listing-interval 5 | '5' is no duration of 1s or more: write 20s or 10m
          streams                | bootstrap.servers is not set
          streams --config none  | --config none: there is no such file
          worker                 | worker.id is not set
          worker --config none   | there is no file none
          worker pool            | worker.role=pool: set controller or node
          worker --node n1       | worker.node=n1: is for worker.role=node only; remove it
          worker node --plugin p | worker.plugin=p: is for worker.role=controller only
          """)
  @DisplayName("a value of the wrong form names the option and the forms that would do")
  void wrongValue(String command, String said) {
    assertThat(run(command.split(" ", -1))).isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains(said).doesNotContain("Exception");
  }

  @ParameterizedTest(name = "berth{0}")
  @MethodSource("commands")
  @DisplayName("help fits 80 columns and lists each command with a whole sentence")
  void helpFits(String command) {
    run((command.strip() + " --help").strip().split(" ", -1));
    assertThat(output(out).lines()).allMatch(line -> line.length() <= 80, "fits");
    commandLine(command).getSubcommands().values().stream()
        .map(sub -> sub.getCommandSpec().usageMessage().description()[0])
        .forEach(first -> assertThat(first).endsWith(".").hasSizeLessThan(70));
  }

  private static CommandLine commandLine(String command) {
    CommandLine line = BerthCommand.commandLine(Terminal.plain(System.out, System.err));
    for (String name : command.strip().split(" ", -1)) {
      line = name.isEmpty() ? line : line.getSubcommands().get(name);
    }
    return line;
  }

  @Test
  @DisplayName("an unknown command is a usage error with a suggestion")
  void unknownCommand() {
    assertThat(run("verison")).isEqualTo(ExitCode.USAGE);
    assertThat(output(err))
        .contains("'verison'")
        .contains("unknown command")
        .contains("did you mean version or");
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
    assertThat(output(out).lines())
        .hasSize(1 + Topic.values().length)
        .allMatch(line -> line.length() <= 100, "fits 100 columns");
    out.reset();
    assertThat(run("topics", "describe", "--prefix", "prod", "-o", "json")).isEqualTo(ExitCode.OK);
    JsonNode list = new ObjectMapper().readTree(output(out));
    assertThat(list).hasSize(Topic.values().length);
    assertThat(list.get(0).get("name").asText()).isEqualTo("prod.alloc-events");
    assertThat(list.get(0).get("subject").asText()).isEqualTo("prod.alloc-events-value");
  }

  @Test
  @DisplayName("topics describe tells the purpose of one topic, named with or without prefix")
  void oneTopic() throws JsonProcessingException {
    assertThat(run("topics", "describe", "claims")).isEqualTo(ExitCode.OK);
    assertThat(output(out)).startsWith("berth.claims\n").contains(Topic.CLAIMS.purpose());
    out.reset();
    assertThat(run("topics", "describe", "berth.claims", "-o", "json")).isEqualTo(ExitCode.OK);
    assertThat(new ObjectMapper().readTree(output(out)).findValuesAsText("name"))
        .containsExactly("berth.claims");
    assertThat(run("topics", "describe", "clams")).isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains("no topic 'clams'; there are alloc-events, ");
  }

  @Test
  @DisplayName("topics read says which topics there are, and how to name the cluster")
  void unreadableTopic() {
    assertThat(run("topics", "read", "claims")).isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains("bootstrap.servers is not set: give --bootstrap-servers");
    String[] there = {"--bootstrap-servers", "127.0.0.1:1", "--registry", "http://127.0.0.1:1"};
    assertThat(run("topics", "read", "clams", there[0], there[1], there[2], there[3]))
        .isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains("no topic 'clams'; there are alloc-events, ");
    assertThat(run("topics", "read", "claims", "--limit", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains("--limit 0 is too small: give 1 or more");
  }

  @ParameterizedTest
  @ValueSource(strings = {"topics read claims --set foo=bar", "node list --zet x=y"})
  @DisplayName("a usage error fits 100 columns too")
  void errorsFit(String line) {
    assertThat(run(line.split(" ", -1))).isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains("unknown ");
    assertThat(output(err).lines()).allMatch(each -> each.length() <= 100, "fits");
  }

  @Test
  @DisplayName("topics describe -o wide has every column")
  void wideTopics() {
    assertThat(run("topics", "describe", "-o", "wide")).isEqualTo(ExitCode.OK);
    assertThat(output(out)).startsWith("TOPIC").contains("WRITTEN BY", "READ BY", "CLEANUP");
  }

  @Test
  @DisplayName("version names Berth, Kafka and Java, as a command and as an option")
  void version() {
    assertThat(run("--version")).isEqualTo(ExitCode.OK);
    String asOption = output(out);
    out.reset();
    assertThat(run("version")).isEqualTo(ExitCode.OK);
    assertThat(output(out)).isEqualTo(asOption);
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
