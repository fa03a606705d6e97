package dev.berth.ops.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A data directory for one run. */
public final class TemporaryData implements AutoCloseable {

  private final Path path;
  private final boolean keep;

  private TemporaryData(Path path, boolean keep) {
    this.path = path;
    this.keep = keep;
  }

  /**
   * Makes one among the temporary files.
   *
   * @param prefix what its name begins with
   * @param keep whether it stays
   * @throws UncheckedIOException when there is no room for one
   */
  public static TemporaryData create(String prefix, boolean keep) {
    try {
      return new TemporaryData(Files.createTempDirectory(prefix), keep);
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary directory can be made: " + e.getMessage(), e);
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Deletes it, unless it is to be kept. Doing it again does nothing. */
  @Override
  public void close() {
    try {
      if (!keep && Files.exists(path)) {
        StackDirectory.deleteAll(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(path + " cannot be deleted: " + e.getMessage(), e);
    }
  }
}
