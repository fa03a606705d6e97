package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Commands that send what files hold")
class FileCommandsTest {

  private static final Path EXAMPLES = Path.of("examples");

  @TempDir private Path temp;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  @DisplayName("the examples have nothing wrong, as a dry run tells without a connection")
  void examples() {
    assertThat(run("volume", "register", "-f", example("volumes.yaml"), "--dry-run"))
        .isEqualTo(ExitCode.OK);
    assertThat(run("volume", "deregister", "-f", example("volumes.yaml"), "--dry-run"))
        .isEqualTo(ExitCode.OK);
    assertThat(run("node", "apply", "--scheduler", "s", "-f", example("nodes.yaml"), "--dry-run"))
        .isEqualTo(ExitCode.OK);
    assertThat(run("plugin", "apply", "-f", example("plugins.json"), "--dry-run"))
        .isEqualTo(ExitCode.OK);
    assertThat(run("plugin", "remove", "-f", example("plugins.json"), "--dry-run"))
        .isEqualTo(ExitCode.OK);
    assertThat(text(out))
        .isEqualTo(
            """
            3 volumes, nothing wrong; nothing was sent
            3 volumes, nothing wrong; nothing was sent
            2 nodes, nothing wrong; nothing was sent
            2 plugin instances, nothing wrong; nothing was sent
            2 plugin instances, nothing wrong; nothing was sent
            """);
    assertThat(text(err)).isEmpty();
  }

  @Test
  @DisplayName("all errors of all files are shown, and nothing is sent")
  void errors() throws IOException {
    Path one = Files.writeString(temp.resolve("one.yaml"), "id: a\nplugin: p\nexternal-id: e\n");
    Path two = Files.writeString(temp.resolve("two.yaml"), "- {id: b/c}\n- x\n");
    assertThat(run("volume", "deregister", "-f", one.toString(), "-f", two.toString()))
        .isEqualTo(ExitCode.FAILED);
    assertThat(text(err))
        .isEqualTo(
            two
                + ":1: id: 'b/c': holds a slash, which joins the parts of a key; take it out\n"
                + two
                + ":2: this item of the list is no record: write its fields\n"
                + "berth: 2 errors; nothing was sent\n");
    assertThat(text(out)).isEmpty();
  }

  @Test
  @DisplayName("what cannot be meant is a usage error that says what to write")
  void usage() {
    usage("--file FILE is missing: name the file that holds the volumes", "volume", "register");
    usage("--file: there is no file none.yaml", "volume", "register", "-f", "none.yaml");
    usage("'db' lacks its namespace: write NAMESPACE/VOLUME", "volume", "deregister", "db");
    usage("name volumes as NAMESPACE/VOLUME, or a file", "volume", "deregister");
    usage(
        "nothing was sent: say why with --reason",
        "volume",
        "deregister",
        "a/b",
        "--force",
        "--yes");
    usage("Missing required option: '--scheduler=ID'", "node", "apply", "-f", "-");
    usage(
        "'ebs@n1' names no instance: write PLUGIN/controller@NODE or PLUGIN/node@NODE",
        "plugin",
        "remove",
        "ebs@n1");
    usage("Missing command: give one of list, status, pause, resume, apply, remove", "plugin");
    usage("bootstrap.servers is not set: give", "volume", "deregister", "a/b");
  }

  @Test
  @DisplayName("a file that is no UTF-8 text is told as such")
  void encoding() throws IOException {
    Path file = Files.write(temp.resolve("v.yaml"), new byte[] {'i', 'd', ':', (byte) 0xff});
    assertThat(run("volume", "register", "-f", file.toString())).isEqualTo(ExitCode.FAILED);
    assertThat(text(err)).startsWith(file + ":1: is not UTF-8 text: convert it\n");
  }

  private void usage(String message, String... args) {
    err.reset();
    assertThat(run(args)).isEqualTo(ExitCode.USAGE);
    assertThat(text(err)).contains(message);
  }

  private static String example(String name) {
    return EXAMPLES.resolve(name).toString();
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
