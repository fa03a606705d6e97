package dev.berth.embedded.registry;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Every change of the registry, one JSON object a line, on disk before it is answered.
 *
 * <p>A crash while a line is written leaves a line without its end; nobody was told of that change,
 * and the next start cuts it off.
 */
final class Journal implements Closeable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final byte LINE_END = '\n';

  private final Path file;
  private final FileChannel channel;
  private long length;
  private boolean broken;

  private Journal(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Opens a journal and replays it.
   *
   * @param replay given every change in order
   * @throws IOException when it is in use, cannot be read, or has a damaged line
   */
  static Journal open(Path file, Consumer<Change> replay) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      requireLock(file, channel);
      Journal journal = new Journal(file, channel);
      journal.length = journal.replay(replay);
      channel.truncate(journal.length);
      channel.position(journal.length);
      return journal;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Makes a change durable.
   *
   * @throws RegistryProblem when it cannot be; then it has not happened
   */
  void append(Change change) {
    if (broken) {
      throw RegistryProblem.storeFailed(
          file + " could not be written before: make room and restart");
    }
    try {
      byte[] json = JSON.writeValueAsBytes(change);
      ByteBuffer line = ByteBuffer.allocate(json.length + 1).put(json).put(LINE_END).flip();
      while (line.hasRemaining()) {
        channel.write(line);
      }
      channel.force(false);
      length += json.length + 1;
    } catch (IOException e) {
      takeBack();
      throw RegistryProblem.storeFailed(file + ": " + e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static void requireLock(Path file, FileChannel channel) throws IOException {
    if (lock(channel) == null) {
      throw new IOException(
          file + " is in use by another registry: stop it, or choose another directory");
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException inThisProcess) {
      return null;
    }
  }

  /** Returns the length of the whole lines. */
  private long replay(Consumer<Change> replay) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int start = 0;
    int number = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == LINE_END) {
        number++;
        replay.accept(parse(new String(bytes, start, i - start, StandardCharsets.UTF_8), number));
        start = i + 1;
      }
    }
    return start;
  }

  private Change parse(String line, int number) throws IOException {
    try {
      return JSON.readValue(line, Change.class);
    } catch (IOException e) {
      throw new IOException(
          "%s, line %d is damaged; restore the file, or delete it together with the topics"
              .formatted(file, number),
          e);
    }
  }

  /** Half a line must not stay: the next one would be read as its end. */
  private void takeBack() {
    try {
      channel.truncate(length);
      channel.position(length);
    } catch (IOException e) {
      broken = true;
    }
  }
}
