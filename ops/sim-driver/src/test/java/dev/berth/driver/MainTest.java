package dev.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that ends before it serves. */
class MainTest {

  @TempDir private Path directory;

  private record Result(int code, String out, String err) {}

  private static Result run(String... arguments) throws InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Main.run(
            List.of(arguments),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Result(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static Result misuse(String message) {
    return new Result(2, "", "berth-sim-driver: " + message + System.lineSeparator());
  }

  @Test
  void helpNamesEveryArgument() throws InterruptedException {
    Result result = run("--help");

    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("--socket", "--port", "--spec", "--log", "--state-dir", "rule.1", "Exit codes");
  }

  @Test
  void wrongUseIsExplained() throws InterruptedException {
    assertThat(run("--socket", "s", "--verbose"))
        .isEqualTo(
            misuse(
                "unknown argument '--verbose'; use --socket, --port, --spec, --log, --state-dir"));
    assertThat(run("--socket")).isEqualTo(misuse("--socket has no value; write one after it"));
    assertThat(run("--spec", "x")).isEqualTo(misuse("give one of --socket and --port"));
    assertThat(run("--spec", "x", "--socket", "s", "--port", "1"))
        .isEqualTo(misuse("give one of --socket and --port"));
    assertThat(run("--socket", "s")).isEqualTo(misuse("--spec is missing; name the settings file"));
    assertThat(run("--port", "65536", "--spec", "x"))
        .isEqualTo(misuse("--port=65536: write 0 to 65535"));
  }

  @Test
  void wrongSettingIsExplained() throws IOException, InterruptedException {
    Path spec = Files.writeString(directory.resolve("p.properties"), "plugin=p\nstage=maybe\n");

    assertThat(run("--port", "0", "--spec", spec.toString()))
        .isEqualTo(misuse("stage=maybe: write true or false"));
  }

  @Test
  void socketThatCannotBeServedIsExplained() throws IOException, InterruptedException {
    Path spec = Files.writeString(directory.resolve("p.properties"), "plugin=p\n");

    assertThat(run("--socket", spec.toString(), "--spec", spec.toString()))
        .isEqualTo(
            new Result(
                1,
                "",
                "berth-sim-driver: cannot serve: %s exists and is not a socket; name another path"
                        .formatted(spec)
                    + " or remove it"
                    + System.lineSeparator()));
  }

  @Test
  void missingSettingsFileIsExplained() throws InterruptedException {
    Path spec = directory.resolve("none");

    assertThat(run("--port", "0", "--spec", spec.toString()))
        .isEqualTo(
            new Result(
                1,
                "",
                "berth-sim-driver: cannot serve: settings file %s: no such file".formatted(spec)
                    + System.lineSeparator()));
  }
}
