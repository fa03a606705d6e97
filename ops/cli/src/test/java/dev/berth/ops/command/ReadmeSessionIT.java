package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The session of ops/README.md, typed into a shell as it stands there. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class ReadmeSessionIT {
  private static final String SECTION = "## A session: found, understood, freed";
  private static final String PROMPT = "    $ ";
  private static final String INDENT = "    ";

  /** What the page leaves out. */
  private static final String LEFT_OUT = "...";

  private static final Duration TO_START = Duration.ofMinutes(3);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Pattern EXPORT = Pattern.compile("export BERTH_\\w+=\\S+");

  @TempDir private Path temp;

  /**
   * A command line, and what the page shows that it prints.
   *
   * @param line the command
   * @param shown lines, without what is left out
   */
  private record Step(String line, List<String> shown) {}

  /** How a command ended. */
  private record Ended(int code, String printed) {}

  @Test
  @DisplayName("every line of the page's session does what the page says")
  void session() throws Exception {
    putOnThePath();
    List<Step> steps = steps();
    assertThat(steps).hasSizeGreaterThan(10);
    Path output = temp.resolve("dev.out");
    // In place of the shell, so that the signal reaches it.
    Process dev = shell("exec " + steps.get(0).line(), output);
    try {
      await()
          .atMost(TO_START)
          .until(() -> !dev.isAlive() || Files.readString(output).contains("Ctrl-C stops it"));
      assertThat(dev.isAlive()).as(Files.readString(output)).isTrue();
      String exports =
          EXPORT
              .matcher(Files.readString(output))
              .results()
              .map(found -> found.group() + "\n")
              .collect(Collectors.joining());
      for (Step step : steps.subList(1, steps.size())) {
        follow(exports, step);
      }
      dev.destroy();
      assertThat(dev.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(dev.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      dev.destroyForcibly();
    }
  }

  /** Types a line; one that shows how things are is typed again until they are so. */
  private void follow(String exports, Step step) {
    if (step.shown().isEmpty()) {
      Ended ended = type(exports + step.line());
      assertThat(ended.code()).as("%s: %s", step.line(), ended.printed()).isZero();
    } else {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                Ended ended = type(exports + step.line());
                assertThat(ended.code()).as("%s: %s", step.line(), ended.printed()).isZero();
                assertThat(ended.printed().lines().map(ReadmeSessionIT::timeless))
                    .as(step.line())
                    .containsSubsequence(
                        step.shown().stream().map(ReadmeSessionIT::timeless).toList());
              });
    }
  }

  /** A line without times and without the width of its columns. */
  private static String timeless(String line) {
    return line.replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
        .replaceAll("\\b\\d+[smhd]\\b", "LENGTH")
        .replaceAll("\\s+", " ")
        .strip();
  }

  private List<Step> steps() throws IOException {
    List<Step> steps = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    for (String line : section()) {
      if (line.startsWith(PROMPT)) {
        shown = new ArrayList<>();
        // The page's directory is everybody's; this run has one of its own.
        steps.add(new Step(line.substring(PROMPT.length()).replace("/tmp/", temp + "/"), shown));
      } else if (line.startsWith(INDENT) && !line.strip().equals(LEFT_OUT)) {
        shown.add(line.substring(INDENT.length()));
      }
    }
    return steps;
  }

  private static List<String> section() throws IOException {
    return Files.readAllLines(Path.of("..", "README.md")).stream()
        .dropWhile(line -> !line.equals(SECTION))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .toList();
  }

  /** A command {@code berth} that is this build, not the one that was built last. */
  private void putOnThePath() throws IOException {
    Path berth =
        Files.writeString(
            Files.createDirectory(temp.resolve("bin")).resolve("berth"),
            """
            #!/bin/sh
            exec '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx320m -cp '%s' dev.berth.ops.Berth "$@"
            """
                .formatted(
                    Path.of(System.getProperty("java.home"), "bin", "java"),
                    System.getProperty("java.class.path")));
    Files.setPosixFilePermissions(berth, PosixFilePermissions.fromString("rwx------"));
  }

  private Ended type(String lines) {
    Path output = temp.resolve("line.out");
    try {
      Process shell = shell(lines, output);
      if (!shell.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        shell.destroyForcibly();
        throw new AssertionError("still running: " + lines);
      }
      return new Ended(shell.exitValue(), Files.readString(output));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Process shell(String lines, Path output) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", lines);
    builder.environment().merge("PATH", temp.resolve("bin") + ":", (old, own) -> own + old);
    return builder
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }
}
