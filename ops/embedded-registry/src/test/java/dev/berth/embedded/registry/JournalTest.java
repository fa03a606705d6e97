package dev.berth.embedded.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.embedded.registry.Change.LevelSet;
import dev.berth.embedded.registry.Change.ModeSet;
import dev.berth.embedded.registry.Change.Reference;
import dev.berth.embedded.registry.Change.Registered;
import dev.berth.embedded.registry.Change.SubjectDeleted;
import dev.berth.embedded.registry.Change.VersionDeleted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Journal of the registry")
class JournalTest {

  private static final List<Change> CHANGES =
      List.of(
          new Registered("a", "\"string\"", List.of(new Reference("r", "b", 2)), 1, 1),
          new LevelSet("a", "FULL"),
          new LevelSet(null, null),
          new ModeSet(null, "READONLY"),
          new VersionDeleted("a", 1, true),
          new SubjectDeleted("ü/a", false));

  @TempDir Path directory;

  @Test
  @DisplayName("replays every kind of change in its order")
  void replay() throws Exception {
    append(CHANGES);

    assertThat(replayed()).isEqualTo(CHANGES);
  }

  @Test
  @DisplayName("cuts off a line whose end was never written, wherever the crash was")
  void tornLine() throws Exception {
    append(CHANGES.subList(0, 1));
    byte[] whole = Files.readAllBytes(file());
    append(CHANGES.subList(1, 2));
    byte[] more = Files.readAllBytes(file());

    for (int length = whole.length; length < more.length; length++) {
      Files.write(file(), java.util.Arrays.copyOf(more, length));

      assertThat(replayed()).isEqualTo(CHANGES.subList(0, 1));
      assertThat(file()).hasBinaryContent(whole);
    }
  }

  @Test
  @DisplayName("goes on after a torn line")
  void appendAfterTornLine() throws Exception {
    append(CHANGES.subList(0, 1));
    Files.writeString(file(), "{\"change\":\"lev", StandardOpenOption.APPEND);

    append(CHANGES.subList(1, 3));

    assertThat(replayed()).isEqualTo(CHANGES.subList(0, 3));
  }

  @Test
  @DisplayName("does not start over a damaged line, and says which")
  void damagedLine() throws Exception {
    append(CHANGES.subList(0, 2));
    Files.writeString(file(), "rubbish\n", StandardOpenOption.APPEND);

    assertThatThrownBy(this::replayed)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file() + ", line 3 is damaged");
  }

  @Test
  @DisplayName("belongs to one registry at a time")
  void lock() throws Exception {
    try (Journal first = Journal.open(file(), change -> {})) {
      assertThatThrownBy(() -> Journal.open(file(), change -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("in use by another registry");
      first.append(CHANGES.get(0));
    }
    assertThat(replayed()).isEqualTo(CHANGES.subList(0, 1));
  }

  private void append(List<Change> changes) throws IOException {
    try (Journal journal = Journal.open(file(), change -> {})) {
      changes.forEach(journal::append);
    }
  }

  private List<Change> replayed() throws IOException {
    List<Change> changes = new ArrayList<>();
    Journal.open(file(), changes::add).close();
    return changes;
  }

  private Path file() {
    return directory.resolve("journal.jsonl");
  }
}
