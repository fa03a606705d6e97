package dev.berth.ops.scenario;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A scenario file that may or may not be understood.
 *
 * @param name the file, as messages name it
 * @param path where it is
 */
public record ScenarioFile(String name, Path path) {

  /**
   * Reads it. Its fixture is looked for in {@code fixtures} beside it, then among the product's.
   *
   * @throws ScenarioException with everything in it that cannot be understood
   */
  public Scenario read() {
    return Scenario.read(name, text(path, name), this::fixture);
  }

  /** Its name without folders and ending, such as {@code S08-unpublishing-keeps-capacity}. */
  public String stem() {
    return String.valueOf(path.getFileName()).replaceFirst("\\.ya?ml$", "");
  }

  private Optional<Scenario.Fixture> fixture(String fixture) {
    try {
      Path relative = path.getFileSystem().getPath("fixtures", fixture + ".yaml");
      for (Path candidate :
          List.of(
              path.resolveSibling(relative),
              ScenarioFiles.shippedFolder().resolve(relative.toString()))) {
        if (Files.isRegularFile(candidate)) {
          String shown = "fixtures/" + fixture + ".yaml";
          return Optional.of(new Scenario.Fixture(shown, text(candidate, shown)));
        }
      }
    } catch (InvalidPathException e) {
      // No file can have that name.
    }
    return Optional.empty();
  }

  private static String text(Path path, String name) {
    try {
      return Files.readString(path);
    } catch (CharacterCodingException e) {
      throw new ScenarioException(name, 1, "this is not UTF-8 text: convert it");
    } catch (IOException e) {
      throw new ScenarioException(name, 1, "it cannot be read: " + e);
    }
  }
}
