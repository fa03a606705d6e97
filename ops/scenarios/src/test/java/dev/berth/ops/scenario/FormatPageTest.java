package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** FORMAT.md and the grammar know the same words. */
class FormatPageTest {

  @Test
  void thePageTellsOfEveryStep() throws IOException {
    Set<String> told = firstColumn("## Inputs");
    told.add("expect");

    assertThat(told).isEqualTo(new TreeSet<>(Grammar.steps()));
  }

  @Test
  void thePageTellsOfEverythingThatCanBeExpected() throws IOException {
    assertThat(firstColumn("## expect")).isEqualTo(new TreeSet<>(Grammar.expectations()));
  }

  private static Set<String> firstColumn(String section) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("FORMAT.md"));
    Pattern name = Pattern.compile("`([a-z-]+)`");
    return lines.stream()
        .dropWhile(line -> !line.equals(section))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| `"))
        .flatMap(line -> name.matcher(line.split("\\|", -1)[1]).results())
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
