package dev.berth.workers.csi;

import static dev.berth.workers.WorkFixtures.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Call;
import dev.berth.records.CsiCall;
import dev.berth.records.RpcCode;
import dev.berth.workers.call.CallResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which directories are taken away after a mount, and which stay. */
class MountDirectoriesTest {

  private static final CallResult OK = new CallResult.Answered(RpcCode.OK, "", Map.of());

  @TempDir Path root;

  private final MountDirectories directories = new MountDirectories();
  private final Call publish = call(CsiCall.NODE_PUBLISH).build();
  private final Call unpublish = call(CsiCall.NODE_UNPUBLISH).build();
  private MountPaths paths;
  private Path target;

  @BeforeEach
  void publish() throws IOException {
    paths = new MountPaths(root, "ebs");
    target = paths.target(publish);
    directories.around(publish, paths, () -> OK);
    assertThat(target.getParent()).isDirectory();
  }

  @Test
  void nothingIsDeletedThatHasAnythingInIt() throws IOException {
    Files.createDirectory(target);
    Files.writeString(target.resolve("data"), "of the volume that is mounted still");

    directories.around(unpublish, paths, () -> OK);

    assertThat(target.resolve("data")).exists();
  }

  @Test
  void theTargetItselfIsThePlugins() throws IOException {
    Files.createDirectory(target);

    directories.around(unpublish, paths, () -> OK);

    assertThat(target).isDirectory();
  }

  @Test
  void aMountThatWasNotUndoneKeepsItsDirectories() throws IOException {
    CallResult failed = new CallResult.Answered(RpcCode.INTERNAL, "busy", Map.of());

    directories.around(unpublish, paths, () -> failed);

    assertThat(target.getParent()).isDirectory();
  }

  @Test
  void whatACallForAnotherVolumeOfTheAllocLeansOnStays() throws IOException {
    Call other = Call.newBuilder(publish).setVolume("v2").build();

    directories.around(
        other,
        paths,
        () -> {
          undone();
          assertThat(paths.target(other).getParent()).isDirectory();
          return OK;
        });
    undone();

    assertThat(root.resolve("ebs/per-alloc")).isEmptyDirectory();
  }

  private void undone() {
    try {
      directories.around(unpublish, paths, () -> OK);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
