package dev.berth.ops.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.NativeLibraryLoader;

/**
 * The native library of the state stores, unpacked into the data directory.
 *
 * <p>By itself RocksDB unpacks it (15 MB) among the temporary files under a new name for each
 * process, and deletes it only at an orderly end of the JVM: a killed process leaves it, and so
 * does one that chooses its exit code after a signal.
 */
public final class NativeStore {

  private NativeStore() {}

  /**
   * Loads it, unless this process has it already.
   *
   * @param directory where it is unpacked; made when missing
   * @throws UncheckedIOException when it cannot be unpacked
   */
  public static void load(Path directory) {
    try {
      Files.createDirectories(directory);
      NativeLibraryLoader.getInstance().loadLibrary(directory.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the library of the state stores cannot be unpacked into " + directory, e);
    }
  }
}
