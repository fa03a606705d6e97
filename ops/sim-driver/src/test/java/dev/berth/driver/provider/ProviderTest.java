package dev.berth.driver.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.proto.csi.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProviderTest {

  private static final Usage WRITER = new Usage(Mode.SINGLE_NODE_WRITER, false, false);

  @TempDir private Path directory;

  private Provider open() throws IOException {
    return Provider.open(ProviderSpec.strict(), directory.resolve("state"));
  }

  /** Every kind of change, most of them undone again in part. */
  private static void live(Provider provider) {
    for (String volume : List.of("a", "b", "c")) {
      provider.createVolume(volume, Access.SINGLE_NODE);
    }
    provider.createVolume("m", Access.MULTI_NODE);
    provider.addNode("n", 3);
    provider.addNode("o", 0);
    provider.addNode("p", 0);
    provider.publish("a", "n", WRITER);
    provider.publish("b", "n", WRITER);
    provider.publish("c", "p", WRITER);
    provider.unpublish("b", "n");
    provider.stage("a", "n", true, "/stage/a", WRITER);
    provider.publishTarget(new MountRequest("a", "n", "/stage/a", "/mnt/1", WRITER), true, true);
    provider.stage("c", "p", true, "/stage/c", WRITER);
    provider.unstage("c", "p");
    provider.publish("b", "o", WRITER);
    provider.stage("b", "o", true, "/stage/b", WRITER);
    provider.rebootNode("o");
    provider.removeNode("p");
    provider.removeVolume("c");
    provider.addNode("n", 4);
  }

  private static final ProviderSnapshot LIVED =
      new ProviderSnapshot(
          List.of(
              new Volume("a", Access.SINGLE_NODE),
              new Volume("b", Access.SINGLE_NODE),
              new Volume("m", Access.MULTI_NODE)),
          List.of(new ProviderNode("n", 4), new ProviderNode("o", 0)),
          List.of(
              new Attachment("a", "n", WRITER, "/dev/xvdba"),
              new Attachment("b", "o", WRITER, "/dev/xvdba")),
          List.of(
              new Mount(
                  "a",
                  "n",
                  Optional.of(new Mount.Staged("/stage/a", WRITER)),
                  Map.of("/mnt/1", WRITER))));

  @Test
  void stateIsTheFoldOfTheJournal() throws IOException {
    try (Provider provider = open()) {
      live(provider);
      assertThat(provider.snapshot()).isEqualTo(LIVED);
    }

    try (Provider again = open()) {
      assertThat(again.snapshot()).isEqualTo(LIVED);
    }
  }

  @Test
  void lineCutShortByAKillDoesNotCount() throws IOException {
    try (Provider provider = open()) {
      live(provider);
    }
    Path journal = directory.resolve("state/provider.jsonl");
    Files.writeString(journal, "{\"change\":\"detached\",\"vol", StandardOpenOption.APPEND);

    try (Provider again = open()) {
      assertThat(again.snapshot()).isEqualTo(LIVED);
      again.unpublish("a", "n");
    }
    try (Provider third = open()) {
      assertThat(third.attachments()).extracting(Attachment::volume).containsExactly("b");
    }
  }

  @Test
  void stateDirectoryHasOneUser() throws IOException {
    try (Provider provider = open()) {
      assertThat(provider.snapshot().volumes()).isEmpty();
      assertThatThrownBy(this::open)
          .isInstanceOf(IOException.class)
          .hasMessage(
              "%s is in use by another driver; stop that one or name another file",
              directory.resolve("state/provider.jsonl"));
    }
  }

  @Test
  void foreignFileIsNotTakenForAJournal() throws IOException {
    Path journal = directory.resolve("state/provider.jsonl");
    Files.createDirectories(directory.resolve("state"));
    Files.writeString(journal, "{\"change\":\"eaten\"}\n");

    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessage(
            "%s is not a provider's journal: cannot read the line {\"change\":\"eaten\"};"
                + " name another directory",
            journal);
  }

  @Test
  void volumesComeIntoBeingOnFirstUseIfToldSo() {
    Provider provider = Provider.inMemory(ProviderSpec.strict().withAutoCreate(Access.SINGLE_NODE));
    provider.addNode("n", 0);

    assertThat(provider.publish("new", "n", WRITER)).isInstanceOf(Decision.Accept.class);
    assertThat(provider.snapshot().volumes())
        .containsExactly(new Volume("new", Access.SINGLE_NODE));
  }

  @Test
  void pagesCoverAllVolumesOnce() {
    Provider provider = Provider.inMemory(ProviderSpec.strict());
    List.of("a", "b:1", "b:2", "c").forEach(id -> provider.createVolume(id, Access.MULTI_NODE));

    VolumePage first = provider.list(2, "").orElseThrow();
    VolumePage second = provider.list(2, first.nextToken()).orElseThrow();

    assertThat(first.entries()).extracting(e -> e.volume().id()).containsExactly("a", "b:1");
    assertThat(second.entries()).extracting(e -> e.volume().id()).containsExactly("b:2", "c");
    assertThat(second.nextToken()).isEmpty();
  }

  @Test
  void tokenIsOnlyGoodForTheSetOfVolumesThatItIsFrom() {
    Provider provider = Provider.inMemory(ProviderSpec.strict());
    List.of("a", "b").forEach(id -> provider.createVolume(id, Access.MULTI_NODE));
    String token = provider.list(1, "").orElseThrow().nextToken();

    provider.createVolume("a", Access.MULTI_NODE);
    assertThat(provider.list(1, token)).isPresent();
    provider.removeVolume("b");
    assertThat(provider.list(1, token)).isEmpty();
    assertThat(provider.list(1, "nonsense")).isEmpty();
  }

  @Test
  void attachmentIsGoneAfterAForeignDetach() {
    Provider provider = Provider.inMemory(ProviderSpec.strict());
    provider.createVolume("a", Access.SINGLE_NODE);
    provider.addNode("n", 0);
    provider.publish("a", "n", WRITER);

    provider.detachBehindTheBack("a", "n");

    assertThat(provider.attachments()).isEmpty();
  }

  @Test
  void idsAndSlotsAreChecked() {
    Provider provider = Provider.inMemory(ProviderSpec.strict());

    assertThatThrownBy(() -> provider.createVolume("", Access.SINGLE_NODE))
        .hasMessage("the id of a volume is empty; give it one");
    assertThatThrownBy(() -> provider.addNode("", 1))
        .hasMessage("the id of a node is empty; give it one");
    assertThatThrownBy(() -> provider.addNode("n", -1))
        .hasMessage("slots -1 of node n: use 0 for no limit");
  }
}
