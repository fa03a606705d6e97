package dev.berth.ops.command;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code berth} as a process of its own, its output in a file. */
final class BerthProcess implements AutoCloseable {

  private static final Duration LONGEST = Duration.ofMinutes(3);

  private final Process process;
  private final Path output;

  private BerthProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** {@code berth dev} on a data directory, with a directory of its own for temporary files. */
  static BerthProcess dev(Path data, Path output, Path temporaryFiles) {
    try {
      Files.createDirectories(temporaryFiles);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return start(
        List.of("-Djava.io.tmpdir=" + temporaryFiles),
        List.of("dev", "--data", data.toString()),
        output);
  }

  /** {@code berth demo} with a directory of its own for temporary files. */
  static BerthProcess demo(Path temporaryFiles, Path output, String... options) {
    List<String> command = new ArrayList<>(List.of("demo"));
    command.addAll(List.of(options));
    return start(List.of("-Djava.io.tmpdir=" + temporaryFiles), command, output);
  }

  /** Any {@code berth} command. */
  static BerthProcess run(Path output, List<String> command) {
    return start(List.of(), command, output);
  }

  private static BerthProcess start(List<String> jvm, List<String> command, Path output) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx320m"));
    line.addAll(jvm);
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.berth.ops.Berth"));
    line.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    builder.redirectInput(new File("/dev/null"));
    try {
      return new BerthProcess(builder.start(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it has printed so far. */
  String printed() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What stands behind a label in its guide. */
  String value(String label) {
    Matcher matcher = Pattern.compile("(?m)^ *" + label + " +(\\S+)$").matcher(printed());
    if (!matcher.find()) {
      throw new IllegalStateException("no '" + label + "' in: " + printed());
    }
    return matcher.group(1);
  }

  /** Asks it to stop, as a service manager or a terminal does, and returns its exit code. */
  int stop() throws InterruptedException {
    process.destroy();
    return exitCode();
  }

  /** Waits for its end. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("still running: " + printed());
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
