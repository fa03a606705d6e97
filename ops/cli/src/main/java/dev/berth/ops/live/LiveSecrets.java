package dev.berth.ops.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Secrets of a scenario, in a file that Kafka's own provider reads. */
final class LiveSecrets {

  private final Path file;
  private final Properties values = new Properties();

  LiveSecrets(Path file) throws IOException {
    this.file = file.toAbsolutePath();
    write();
  }

  /** What a volume names a secret by. */
  String reference(String name) {
    return "${file:" + file + ":" + key(name) + "}";
  }

  /** Sets one; null takes it away. */
  void set(String name, @Nullable String value) {
    if (value == null) {
      values.remove(key(name));
    } else {
      values.setProperty(key(name), value);
    }
    try {
      write();
    } catch (IOException e) {
      throw new UncheckedIOException("file of secrets: " + e.getMessage(), e);
    }
  }

  /** A colon would end the path. */
  private static String key(String name) {
    return name.replace(':', '.');
  }

  private void write() throws IOException {
    Path next = file.resolveSibling("secrets.next");
    try (Writer writer = Files.newBufferedWriter(next)) {
      values.store(writer, null);
    }
    Files.move(next, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }
}
