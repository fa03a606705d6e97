package dev.berth.workers.csi;

import dev.berth.records.Call;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Where volumes of one plugin are staged and mounted:
 *
 * <pre>
 *   root/plugin/staging/namespace/volume     one per volume
 *   root/plugin/per-alloc/alloc/namespace/volume  one per alloc and volume
 * </pre>
 *
 * <p>Names come from schedulers and may hold anything. What a path gives a meaning to is written as
 * {@code %XX}, so that no name leaves the root and no two names meet.
 *
 * @param root directory of all plugins, absolute
 * @param plugin plugin id
 */
public record MountPaths(Path root, String plugin) {

  private static final String PLAIN =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.,:=@+[]";

  /** Returns where the volume of a call is staged. */
  public Path staging(Call call) {
    return root.resolve(segment(plugin))
        .resolve("staging")
        .resolve(segment(call.getNamespace()))
        .resolve(segment(call.getVolume()));
  }

  /**
   * Returns where the volume of a call appears for its alloc.
   *
   * @throws IllegalArgumentException if the call is for no alloc
   */
  public Path target(Call call) {
    return ofAlloc(call).resolve(segment(call.getNamespace())).resolve(segment(call.getVolume()));
  }

  /**
   * Returns the directories around the target of a call that are its alloc's alone, the innermost
   * first.
   *
   * @throws IllegalArgumentException if the call is for no alloc
   */
  List<Path> aroundTarget(Call call) {
    Path alloc = ofAlloc(call);
    return List.of(alloc.resolve(segment(call.getNamespace())), alloc);
  }

  private Path ofAlloc(Call call) {
    String alloc =
        call.getAlloc()
            .orElseThrow(() -> new IllegalArgumentException(call.getRpc() + " names no alloc"));
    return root.resolve(segment(plugin)).resolve("per-alloc").resolve(segment(alloc));
  }

  private static String segment(String name) {
    StringBuilder segment = new StringBuilder();
    // Names of dots only are directories of the file system's own.
    boolean dots = name.chars().allMatch(c -> c == '.');
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      if (!dots && PLAIN.indexOf(b) >= 0) {
        segment.append((char) b);
      } else {
        segment.append("%%%02X".formatted(b));
      }
    }
    return segment.isEmpty() ? "%" : segment.toString();
  }
}
