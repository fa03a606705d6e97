package dev.berth.workers.csi;

import dev.berth.records.Call;
import dev.berth.records.CsiCall;
import dev.berth.records.RpcCode;
import dev.berth.workers.call.CallResult;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories that the CO makes for mounts: the staging directory and the parent of the target
 * path (csi.v1 NodeStageVolume, NodePublishVolume). The target itself is the plugin's, to make and
 * to delete (NodeUnpublishVolume).
 *
 * <p>What was made is taken away again when the mount is undone, if it is empty: a node sees many
 * allocs. Nothing else is ever deleted, and nothing with anything in it: a plugin that has answered
 * too early still has its data there. Safe for use by many threads.
 */
final class MountDirectories {

  private static final Logger log = LoggerFactory.getLogger(MountDirectories.class);

  /**
   * Directories that calls under way lean on, and how many do. Volumes of one alloc share theirs
   * and are mounted side by side.
   */
  private final Map<Path, Integer> inUse = new HashMap<>();

  /**
   * Makes what a call needs, makes the call, and takes away what it has left over.
   *
   * @param send makes the call
   * @throws IOException when a directory cannot be made; the call was not made
   */
  CallResult around(Call call, MountPaths paths, Supplier<CallResult> send) throws IOException {
    List<Path> needed = needed(call, paths);
    make(needed);
    try {
      CallResult result = send.get();
      if (result instanceof CallResult.Answered answered && answered.code() == RpcCode.OK) {
        leftOver(call, paths).forEach(this::remove);
      }
      return result;
    } finally {
      release(needed);
    }
  }

  /** From the innermost outwards. */
  private static List<Path> needed(Call call, MountPaths paths) {
    if (call.getRpc() == CsiCall.NODE_STAGE) {
      return List.of(paths.staging(call));
    }
    return call.getRpc() == CsiCall.NODE_PUBLISH ? paths.aroundTarget(call) : List.of();
  }

  private static List<Path> leftOver(Call call, MountPaths paths) {
    if (call.getRpc() == CsiCall.NODE_UNSTAGE) {
      return List.of(paths.staging(call));
    }
    return call.getRpc() == CsiCall.NODE_UNPUBLISH ? paths.aroundTarget(call) : List.of();
  }

  private synchronized void make(List<Path> directories) throws IOException {
    for (Path directory : directories) {
      Files.createDirectories(directory);
    }
    directories.forEach(directory -> inUse.merge(directory, 1, Integer::sum));
  }

  private synchronized void release(List<Path> directories) {
    directories.forEach(
        directory -> inUse.computeIfPresent(directory, (path, n) -> n == 1 ? null : n - 1));
  }

  private synchronized void remove(Path directory) {
    if (inUse.containsKey(directory) || !Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      Files.delete(directory);
    } catch (DirectoryNotEmptyException e) {
      log.debug("directory of a mount is not empty and stays path={}", directory);
    } catch (IOException e) {
      // Something is mounted there still, for example. The volume is what counts, and it is undone.
      log.info("directory of a mount stays path={} error={}", directory, e.toString());
    }
  }
}
