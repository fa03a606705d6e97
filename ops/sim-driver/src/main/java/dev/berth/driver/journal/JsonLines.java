package dev.berth.driver.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of JSON values, one a line, to which one process appends.
 *
 * <p>Each line reaches the operating system before {@link #write} returns: it survives the kill of
 * the process, though not the loss of the machine. A line cut short by a kill does not count.
 */
public final class JsonLines implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path path;
  private final FileChannel channel;

  private final FileChannel lock;

  private JsonLines(Path path, FileChannel channel, FileChannel lock) {
    this.path = path;
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * Opens the file for writing after its last complete line, and makes it if it is missing. A file
   * of the same name and {@code .lock} stays beside it.
   *
   * @throws IOException if it cannot be opened, or somebody else has it open for writing
   */
  public static JsonLines append(Path path) throws IOException {
    FileChannel lock = lock(path);
    try {
      FileChannel channel =
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      long complete = completeLength(Files.readAllBytes(path));
      channel.truncate(complete);
      channel.position(complete);
      return new JsonLines(path, channel, lock);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Locks a file that nobody reads: the system drops a process's locks on a file as soon as the
   * process closes any of its handles of that file, also one that was only read from.
   */
  private static FileChannel lock(Path path) throws IOException {
    FileChannel lock =
        FileChannel.open(
            path.resolveSibling(path.getFileName() + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    if (!isFree(lock)) {
      lock.close();
      throw new IOException(
          "%s is in use by another driver; stop that one or name another file".formatted(path));
    }
    return lock;
  }

  private static boolean isFree(FileChannel lock) throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /**
   * All complete lines; none if the file is missing.
   *
   * @throws IOException if the file cannot be read or a line is not JSON
   */
  public static List<JsonNode> read(Path path) throws IOException {
    if (!Files.exists(path)) {
      return List.of();
    }
    byte[] bytes = Files.readAllBytes(path);
    String text = new String(bytes, 0, completeLength(bytes), StandardCharsets.UTF_8);
    List<JsonNode> values = new ArrayList<>();
    for (String line : text.lines().toList()) {
      try {
        values.add(JSON.readTree(line));
      } catch (JsonProcessingException e) {
        throw new IOException(
            "%s, line %d is not JSON; name another file".formatted(path, values.size() + 1), e);
      }
    }
    return values;
  }

  private static int completeLength(byte[] bytes) {
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] != '\n') {
      length--;
    }
    return length;
  }

  /**
   * Appends one line.
   *
   * @throws UncheckedIOException if it cannot be written whole
   */
  public synchronized void write(JsonNode value) {
    ByteBuffer line = ByteBuffer.wrap((value + "\n").getBytes(StandardCharsets.UTF_8));
    try {
      while (line.hasRemaining()) {
        channel.write(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + path, e);
    }
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      channel.close();
    }
  }
}
