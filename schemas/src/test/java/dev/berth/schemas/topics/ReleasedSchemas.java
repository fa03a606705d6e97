package dev.berth.schemas.topics;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaFormatter;

/**
 * The released versions of one record's schema: {@code
 * src/test/resources/released/<Record>.v1.avsc} and on.
 */
record ReleasedSchemas(String name) {

  static final Path FOLDER = Path.of("src/test/resources/released");

  /** Returns all versions, the first one first. */
  List<Schema> all() {
    return IntStream.rangeClosed(1, latest())
        .mapToObj(this::file)
        .map(KeptFile::read)
        .flatMap(Optional::stream)
        .map(text -> new Schema.Parser().parse(text))
        .toList();
  }

  /** Makes this the newest version in place of the present one, which nobody has used yet. */
  void replaceLatest(Schema schema) {
    file(Math.max(1, latest())).write(SchemaFormatter.format("json/pretty", schema) + "\n");
  }

  /** Adds this as a new version, unless it is the newest one already. */
  void add(Schema schema) {
    List<Schema> released = all();
    if (released.isEmpty() || !released.get(released.size() - 1).equals(schema)) {
      file(latest() + 1).write(SchemaFormatter.format("json/pretty", schema) + "\n");
    }
  }

  private int latest() {
    int version = 0;
    while (file(version + 1).exists()) {
      version++;
    }
    return version;
  }

  private KeptFile file(int version) {
    return new KeptFile(FOLDER.resolve(name + ".v" + version + ".avsc"));
  }
}
