package dev.berth.schemas.topics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file in the repository that follows from the code: tests hold it equal, and write it when run
 * with {@code -Dregenerate}.
 */
record KeptFile(Path path) {

  /** The command that writes all kept files of this module anew. */
  static final String REGENERATE = "mvn -q -Dquick -Dregenerate -pl schemas -am package";

  private static final Optional<String> FLAG =
      Optional.ofNullable(System.getProperty("regenerate"));

  static boolean isRegenerating() {
    return FLAG.isPresent();
  }

  /** {@code -Dregenerate=release}: what was released before stays, the present is added. */
  static boolean isReleasing() {
    return FLAG.equals(Optional.of("release"));
  }

  boolean exists() {
    return Files.exists(path);
  }

  /** Returns the text; empty when there is no such file. */
  Optional<String> read() {
    try {
      return exists() ? Optional.of(Files.readString(path)) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void write(String text) {
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      Files.writeString(path, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
