package dev.berth.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.command.BerthCommand;
import dev.berth.ops.command.ExitCode;
import dev.berth.ops.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BenchCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  static Stream<String> commands() {
    Terminal terminal = Terminal.plain(System.out, System.err);
    return Stream.concat(
        Stream.of("bench"),
        new BenchModule()
            .command(terminal).getSubcommands().keySet().stream().map(name -> "bench " + name));
  }

  @ParameterizedTest(name = "berth {0} --help")
  @MethodSource("commands")
  @DisplayName("every command is found, and has help of 80 columns with an example")
  void help(String command) {
    assertThat(run((command + " --help").split(" ", -1))).isEqualTo(ExitCode.OK);
    assertThat(text(out)).contains("Usage: berth " + command).contains("Example");
    assertThat(text(out).lines()).allMatch(line -> line.length() <= 80, "fits");
    assertThat(text(err)).isEmpty();
  }

  @Test
  @DisplayName("no bench at all is a usage error that names them")
  void nothing() {
    assertThat(run("bench")).isEqualTo(ExitCode.USAGE);
    assertThat(text(err)).startsWith("berth: Missing command: give one of ").contains("core");
  }

  @Test
  @DisplayName("where no report can be written, nothing is measured")
  void out(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("report"), "");
    assertThat(run("bench", "core", "--out", file.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(text(err)).contains("--out: " + file + " is a file: name a folder");
  }

  private int run(String... args) {
    return BerthCommand.run(
        Terminal.plain(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8)),
        args);
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
