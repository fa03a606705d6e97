package dev.berth.ops.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where scenario files are: on disk, or in the product. */
public final class ScenarioFiles {
  private static final String FOLDER = "scenarios";

  private ScenarioFiles() {}

  /** The product's own scenarios, in the order of their names. */
  public static List<ScenarioFile> shipped() {
    try {
      return in(shippedFolder()).stream()
          .map(path -> new ScenarioFile(String.valueOf(path.getFileName()), path))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The scenario files that a path stands for: the file itself, or those of a folder in the order
   * of their names, without its subfolders.
   *
   * @return empty for a folder that holds none
   * @throws NoSuchFileException when there is no such file or folder
   * @throws IOException when the folder cannot be read
   */
  public static List<ScenarioFile> at(Path path) throws IOException {
    if (Files.notExists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    List<Path> files = Files.isDirectory(path) ? in(path) : List.of(path);
    return files.stream().map(file -> new ScenarioFile(file.toString(), file)).toList();
  }

  private static List<Path> in(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().matches("(?s).*\\.ya?ml"))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }

  static Path shippedFolder() {
    return Shipped.FOLDER;
  }

  /** Opened when first asked for. */
  private static final class Shipped {
    static final Path FOLDER = folder();

    private static Path folder() {
      try {
        Path classes =
            Path.of(
                ScenarioFiles.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        // A jar stays open as long as the process, which may read from it at any time.
        return Files.isDirectory(classes)
            ? classes.resolve(ScenarioFiles.FOLDER)
            : FileSystems.newFileSystem(classes).getPath("/", ScenarioFiles.FOLDER);
      } catch (URISyntaxException e) {
        throw new IllegalStateException("the product's own files are nowhere", e);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
