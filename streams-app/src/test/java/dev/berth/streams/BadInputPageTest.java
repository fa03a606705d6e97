package dev.berth.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page about bad input")
class BadInputPageTest {
  private static final Path PAGE = Path.of("BAD-INPUT.md");
  private static final Path REPOSITORY = Path.of("..");
  private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|IT))#(\\w+)`");

  @Test
  @DisplayName("names a test in every row, and only tests that exist")
  void namesTests() throws IOException {
    Map<String, String> sources = tests();

    List<String> rows =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| what "))
            .toList();
    assertThat(rows).hasSizeGreaterThan(30);
    assertThat(rows).allSatisfy(row -> assertThat(NAMED.matcher(row).find()).as(row).isTrue());
    Matcher named = NAMED.matcher(Files.readString(PAGE));
    while (named.find()) {
      assertThat(sources.getOrDefault(named.group(1), ""))
          .as(named.group())
          .containsPattern(
              "(?s)@(Test|ParameterizedTest)\\b(?:(?!\\bvoid\\b).)*\\bvoid "
                  + named.group(2)
                  + "\\(");
    }
  }

  /** The sources of all tests by their class; those of one name together. */
  private static Map<String, String> tests() throws IOException {
    Map<String, String> sources = new TreeMap<>();
    for (Path root : testRoots()) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          String name = file.getFileName().toString().replace(".java", "");
          sources.merge(name, Files.readString(file), String::concat);
        }
      }
    }
    return sources;
  }

  private static List<Path> testRoots() throws IOException {
    try (Stream<Path> modules = Files.find(REPOSITORY, 3, (path, is) -> path.endsWith("pom.xml"))) {
      return modules
          .map(pom -> pom.resolveSibling("src/test/java"))
          .filter(Files::isDirectory)
          .toList();
    }
  }
}
