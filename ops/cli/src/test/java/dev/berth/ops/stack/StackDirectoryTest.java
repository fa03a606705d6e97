package dev.berth.ops.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackDirectoryTest {

  @TempDir private Path temp;

  @Test
  @DisplayName("a directory belongs to one stack at a time, and the message names the process")
  void lock() {
    Path data = temp.resolve("data");
    try (StackDirectory first = StackDirectory.take(data)) {
      assertThatThrownBy(() -> StackDirectory.take(data))
          .isInstanceOf(DataInUseException.class)
          .hasMessage(
              "data directory %s is in use by process %d: stop it, or give another directory with"
                  + " --data",
              first.root(), ProcessHandle.current().pid());
    }
    StackDirectory.take(data).close();
  }

  @Test
  @DisplayName("sockets are in the directory, and elsewhere when their paths would be too long")
  void sockets() {
    try (StackDirectory directory = StackDirectory.take(temp.resolve("data"))) {
      assertThat(directory.socket("ebs", "n1")).isEqualTo(temp.resolve("data/sockets/ebs-n1.sock"));
    }
    Path socket;
    try (StackDirectory directory = StackDirectory.take(temp.resolve("d".repeat(100)))) {
      socket = directory.socket("ebs", "controller-n10");
      assertThat(socket.toString().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(108);
      assertThat(socket.getParent()).exists();
    }
    assertThat(socket.getParent()).doesNotExist();
  }

  @Test
  @DisplayName("sockets that a killed process had elsewhere are taken over and do not stay")
  void socketsAfterKill() throws IOException {
    Path data = Files.createDirectory(temp.resolve("d".repeat(100)));
    Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
    Path note = Files.writeString(data.resolve("sockets.path"), elsewhere.toString());
    try (StackDirectory directory = StackDirectory.take(data)) {
      assertThat(directory.socket("ebs", "n1")).isEqualTo(elsewhere.resolve("ebs-n1.sock"));
    }
    assertThat(elsewhere).doesNotExist();
    assertThat(note).doesNotExist();
  }

  @Test
  @DisplayName("the calls of the last run are put aside")
  void callLog() throws IOException {
    Path data = temp.resolve("data");
    try (StackDirectory directory = StackDirectory.take(data)) {
      Files.writeString(directory.newCallLog(), "old");
      assertThat(directory.newCallLog()).doesNotExist();
    }
    assertThat(data.resolve("calls.jsonl.1")).hasContent("old");
  }

  @Test
  @DisplayName("a file in place of the directory is refused with a remedy")
  void noDirectory() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "");
    assertThatThrownBy(() -> StackDirectory.take(file))
        .hasMessageContaining("data directory " + file + " cannot be used")
        .hasMessageContaining("give another one with --data");
  }
}
