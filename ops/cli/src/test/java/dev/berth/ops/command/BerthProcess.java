package dev.berth.ops.command;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code berth dev} as a process of its own, its output in a file. */
final class DevProcess implements AutoCloseable {

  private final Process process;
  private final Path output;

  private DevProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  static DevProcess start(Path data, Path output) {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx320m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.berth.ops.Berth",
                "dev",
                "--data",
                data.toString()));
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    builder.redirectInput(new File("/dev/null"));
    try {
      return new DevProcess(builder.start(), output);
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
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("still running: " + printed());
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
