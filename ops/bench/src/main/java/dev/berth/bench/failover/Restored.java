package dev.berth.bench.failover;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What Streams instances have read back into stores before they decided by them, as Kafka Streams
 * tells its log. A store that was warm is among them, with no records.
 *
 * @param stores stores that were taken over (count)
 * @param records records that were read for it (count)
 */
record Restored(int stores, long records) {
  /** Where nobody had to take over a store. */
  static final Restored NOTHING = new Restored(0, 0);

  private static final Pattern FINISHED =
      Pattern.compile("Finished restoring changelog \\S+ to store .* number of (\\d+) records");

  /** Both together. */
  Restored plus(Restored other) {
    return new Restored(stores + other.stores, records + other.records);
  }

  /**
   * Where a log ends now (bytes); 0 when there is none.
   *
   * @throws UncheckedIOException when it cannot be looked at
   */
  static long end(Path log) {
    try {
      return Files.exists(log) ? Files.size(log) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(log + " cannot be looked at", e);
    }
  }

  /**
   * What was restored since a log had ended somewhere.
   *
   * @throws UncheckedIOException when it cannot be read
   */
  static Restored since(Path log, long end) {
    try (InputStream bytes = Files.newInputStream(log)) {
      bytes.skipNBytes(end);
      return of(new String(bytes.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(log + " cannot be read", e);
    }
  }

  /** What was restored by what some lines of a log say. */
  static Restored of(String lines) {
    List<Long> each =
        FINISHED.matcher(lines).results().map(result -> Long.valueOf(result.group(1))).toList();
    return new Restored(each.size(), each.stream().mapToLong(Long::longValue).sum());
  }
}
