package dev.berth.ops.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Scenario files on disk. */
public final class ShippedScenarios {
  private ShippedScenarios() {}

  /**
   * The scenarios of a folder, in the order of their names; fixtures are in its folder {@code
   * fixtures}.
   *
   * @throws ScenarioException when one cannot be understood
   */
  public static Stream<Scenario> in(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream()
          .map(
              file ->
                  Scenario.read(
                      name(file),
                      text(file),
                      fixture -> text(folder.resolve("fixtures/" + fixture + ".yaml"))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
