package dev.berth.driver;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/** The file of a unix socket. */
final class SocketFile {

  /** What Linux takes, less the closing zero. */
  private static final int MAX_PATH_BYTES = 107;

  private SocketFile() {}

  /**
   * Makes room for a new socket: its directory exists and what a dead process left is gone.
   *
   * @throws IOException if the path is too long, is in use, or is not a socket
   */
  static void prepare(Path path) throws IOException {
    int length = path.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8).length;
    if (length > MAX_PATH_BYTES) {
      throw new IOException(
          "socket path %s has %d bytes; the system takes %d, use a shorter one"
              .formatted(path, length, MAX_PATH_BYTES));
    }
    Path directory = path.toAbsolutePath().getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    boolean socket =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).isOther();
    if (!socket) {
      throw new IOException(
          "%s exists and is not a socket; name another path or remove it".formatted(path));
    }
    if (isServed(path)) {
      throw new IOException(
          "%s is served by another process; stop that one or name another path".formatted(path));
    }
    Files.delete(path);
  }

  /** Lets only this user connect: on a CSI socket the file's permissions are all the protection. */
  static void protect(Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
  }

  private static boolean isServed(Path path) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return channel.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
