package dev.berth.ops.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Scenario files on disk. */
public final class ScenarioFolder {
  private ScenarioFolder() {}

  /**
   * The scenarios of a folder, in the order of their file names; fixtures are in its folder {@code
   * fixtures}.
   *
   * @throws ScenarioException when one cannot be understood
   * @throws UncheckedIOException when a file cannot be read
   */
  public static List<Scenario> read(Path folder) {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Scenario> scenarios = new ArrayList<>();
    for (Path file : files) {
      scenarios.add(
          Scenario.read(
              String.valueOf(file.getFileName()),
              text(file),
              fixture -> text(folder.resolve("fixtures/" + fixture + ".yaml"))));
    }
    return scenarios;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
