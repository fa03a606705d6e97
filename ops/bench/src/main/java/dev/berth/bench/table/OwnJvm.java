package dev.berth.bench.table;

import dev.berth.ops.stack.TemporaryData;
import dev.berth.producers.Connection;
import dev.berth.schemas.registry.RegistryConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Berth's application in a process of its own, with the memory of {@code berth streams}. */
final class OwnJvm implements AutoCloseable {
  static final int HEAP_MEGABYTES = 512;

  private static final Duration FOR_THE_END = Duration.ofMinutes(1);

  private final TemporaryData data = TemporaryData.create("berth-bench-jvm", false);
  private final Process process;
  private final BufferedReader said;
  private final Duration restored;

  /**
   * Starts it without any state and returns when it runs.
   *
   * @throws IllegalStateException when it ends before
   */
  OwnJvm(Connection connection) {
    try {
      process =
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "-XX:+UseSerialGC",
                      "-Xms64m",
                      "-Xmx" + HEAP_MEGABYTES + "m",
                      "-XX:+ExitOnOutOfMemoryError",
                      "-XX:MaxDirectMemorySize=256m",
                      "-XX:MaxMetaspaceSize=192m",
                      "-cp",
                      System.getProperty("java.class.path"),
                      OwnJvmMain.class.getName(),
                      connection.bootstrapServers(),
                      Objects.requireNonNull(connection.registry().get(RegistryConfig.URL)),
                      connection.topics().prefix(),
                      data.path().toString()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      data.close();
      throw new UncheckedIOException("a JVM cannot be started: " + e.getMessage(), e);
    }
    said = process.inputReader();
    try {
      restored = Duration.ofMillis(hear(OwnJvmMain.RUNNING));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** From the start of the application until it ran, its stores restored. */
  Duration restored() {
    return restored;
  }

  /** What is left of its heap after a collection (bytes). */
  long heap() {
    try {
      process.outputWriter().write(OwnJvmMain.HEAP + "\n");
      process.outputWriter().flush();
    } catch (IOException e) {
      throw new IllegalStateException("Berth's own process has ended", e);
    }
    return hear(OwnJvmMain.HEAP);
  }

  private long hear(String word) {
    try {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        if (line.startsWith(word + " ")) {
          return Long.parseLong(line.substring(word.length() + 1));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Berth's own process cannot be heard", e);
    }
    throw new IllegalStateException(
        "Berth's own process ended by itself; it has %d MB".formatted(HEAP_MEGABYTES));
  }

  /** Ends it, and counts as its parent's time what it used. */
  @Override
  public void close() {
    try {
      process.outputWriter().close();
      if (!process.waitFor(FOR_THE_END.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        process.waitFor();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    data.close();
  }
}
