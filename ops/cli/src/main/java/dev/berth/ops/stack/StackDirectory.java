package dev.berth.ops.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The directory that a stack keeps everything in, while it belongs to this process:
 *
 * <pre>
 *   stack.lock       held while a stack runs; its process id
 *   broker/          topics and offsets
 *   registry/        schemas
 *   streams/         state stores
 *   native/          their native library, unpacked at each start
 *   providers/       what is attached and mounted, a journal per plugin
 *   mounts/          staging and target paths, per node
 *   sockets/         of the plugins, if their paths are short enough for sockets
 *   sockets.path     where they are if not
 *   calls.jsonl      every call to the plugins, since the last start or by all runs
 *   berth.log
 * </pre>
 */
final class StackDirectory implements AutoCloseable {

  /** What {@code sun_path} of Linux holds, without the closing zero (unix(7)). */
  private static final int LONGEST_SOCKET_PATH = 107;

  /** Room for the name of a socket within its directory. */
  private static final int LONGEST_SOCKET_NAME = 40;

  /** Names the directory of the sockets, where that is not in this one. */
  private static final String SOCKETS_ELSEWHERE = "sockets.path";

  private final Path root;
  private final Path sockets;
  private final FileChannel channel;

  private StackDirectory(Path root, Path sockets, FileChannel channel) {
    this.root = root;
    this.sockets = sockets;
    this.channel = channel;
  }

  /**
   * Takes the directory, which is made when missing.
   *
   * @throws DataInUseException when another stack has it
   * @throws UncheckedIOException when it cannot be used
   */
  static StackDirectory take(Path directory) {
    Path root = directory.toAbsolutePath().normalize();
    try {
      Files.createDirectories(root);
      Path file = root.resolve("stack.lock");
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        if (lock(channel) == null) {
          throw inUse(root, file);
        }
        write(channel, Long.toString(ProcessHandle.current().pid()));
        return new StackDirectory(root, socketDirectory(root), channel);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "data directory %s cannot be used, give another one with --data".formatted(root), e);
    }
  }

  Path root() {
    return root;
  }

  Path broker() {
    return root.resolve("broker");
  }

  /** The registry makes a directory of its own in it. */
  Path registry() {
    return root;
  }

  Path streams() {
    return root.resolve("streams");
  }

  Path nativeStore() {
    return root.resolve("native");
  }

  Path provider(String plugin) {
    return root.resolve("providers").resolve(plugin);
  }

  Path mounts(String node) {
    return root.resolve("mounts").resolve(node);
  }

  Path socket(String plugin, String instance) {
    return sockets.resolve(plugin + "-" + instance + ".sock");
  }

  /** The file for the calls of all runs. */
  Path callLog() {
    return root.resolve("calls.jsonl");
  }

  /** The file for the calls of this run; that of the last one is put aside. */
  Path newCallLog() {
    Path file = callLog();
    try {
      if (Files.exists(file)) {
        Files.move(file, root.resolve("calls.jsonl.1"), StandardCopyOption.REPLACE_EXISTING);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("call log " + file + ": " + e.getMessage(), e);
    }
  }

  /** Gives the directory back; what is in it stays. */
  @Override
  public void close() {
    try {
      if (!sockets.startsWith(root)) {
        deleteAll(sockets);
        Files.deleteIfExists(root.resolve(SOCKETS_ELSEWHERE));
      }
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("data directory " + root + ": " + e.getMessage(), e);
    }
  }

  /** Deletes a directory with all that is in it. */
  static void deleteAll(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path left, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(left);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another stack of this very process.
      return null;
    }
  }

  private static DataInUseException inUse(Path root, Path file) throws IOException {
    String pid = Files.readString(file).strip();
    return new DataInUseException(
        "data directory %s is in use by process %s: stop it, or give another directory with --data"
            .formatted(root, pid.isEmpty() ? "(unknown)" : pid));
  }

  private static void write(FileChannel channel, String text) throws IOException {
    channel.truncate(0);
    channel.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)), 0);
  }

  private static Path socketDirectory(Path root) throws IOException {
    Path inside = root.resolve("sockets");
    int bytes = inside.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes + 1 + LONGEST_SOCKET_NAME <= LONGEST_SOCKET_PATH) {
      return Files.createDirectories(inside);
    }
    // A killed process leaves its directory: the next one takes it over, rather than leave both.
    Path note = root.resolve(SOCKETS_ELSEWHERE);
    Optional<Path> before = left(note, root);
    if (before.isPresent()) {
      return before.get();
    }
    Path made = Files.createTempDirectory("berth-");
    Files.writeString(note, made.toString());
    return made;
  }

  /** The directory that an earlier process noted; empty when there is none, or it is not ours. */
  private static Optional<Path> left(Path note, Path root) throws IOException {
    if (!Files.exists(note)) {
      return Optional.empty();
    }
    Path directory = Path.of(Files.readString(note).strip());
    return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
            && Files.getOwner(directory).equals(Files.getOwner(root))
        ? Optional.of(directory)
        : Optional.empty();
  }
}
