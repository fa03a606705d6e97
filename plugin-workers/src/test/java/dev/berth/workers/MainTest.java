package dev.berth.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {

  @TempDir Path directory;

  @Test
  void argumentsOverrideTheFile() throws IOException {
    Path file =
        Files.writeString(directory.resolve("w.properties"), "worker.id=w1\ntopic.prefix=berth\n");

    assertThat(Main.settings(List.of(file.toString(), "topic.prefix=other", "x=a=b")))
        .isEqualTo(Map.of("worker.id", "w1", "topic.prefix", "other", "x", "a=b"));
  }

  @Test
  void aRoleIsTakenBeforeTheFile() throws IOException {
    String file = Files.writeString(directory.resolve("w.properties"), "a=b").toString();

    assertThat(Main.settings(List.of("controller", file)))
        .isEqualTo(Map.of("a", "b", "worker.role", "controller"));
    assertThat(Main.settings(List.of("controller", "--plugin", "ebs", file)))
        .isEqualTo(Map.of("a", "b", "worker.role", "controller", "worker.plugin", "ebs"));
    assertThat(Main.settings(List.of("node", "--node", "n1", file, "x=y")))
        .isEqualTo(Map.of("a", "b", "worker.role", "node", "worker.node", "n1", "x", "y"));
  }

  @Test
  void anUnknownOptionIsNamed() {
    assertThatThrownBy(() -> Main.settings(List.of("node", "--host", "n1", "w.properties")))
        .hasMessageContaining("option '--host': give --plugin ID or --node ID");
  }

  @Test
  void argumentsThatCannotBeUsedAreNamed() {
    assertThatThrownBy(() -> Main.settings(List.of())).hasMessageContaining("usage");
    Path none = directory.resolve("none");
    assertThatThrownBy(() -> Main.settings(List.of(none.toString())))
        .hasMessage("there is no file " + none);
    Path file = directory;
    assertThatThrownBy(() -> Main.settings(List.of(file.toString())))
        .hasMessageContaining(file + " cannot be read");
  }

  @Test
  void anArgumentThatIsNoSettingIsNamed() throws IOException {
    Path file = Files.writeString(directory.resolve("w.properties"), "");

    assertThatThrownBy(() -> Main.settings(List.of(file.toString(), "verbose")))
        .hasMessage("argument 'verbose' is not key=value");
  }
}
