package dev.berth.ops.lives;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The {@code berth} command in a JVM of its own, with the options and classes of this one. Its
 * standard output is ours, its standard error is read here, and its standard input ends when this
 * process does, however that comes: a life asks {@link Lifeline} for that, so that nothing is left
 * running.
 */
final class LifeProcess implements AutoCloseable {

  private static final String MAIN = "dev.berth.ops.Berth";

  private final Process process;
  private final Thread reader;

  private LifeProcess(Process process, Thread reader) {
    this.process = process;
    this.reader = reader;
  }

  /**
   * Starts it.
   *
   * @param arguments of the {@code berth} command
   * @param said told each line of its standard error, on a thread of its own
   * @throws UncheckedIOException when it cannot be started
   */
  static LifeProcess start(List<String> arguments, Consumer<String> said) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
    command.addAll(arguments);
    try {
      Process process =
          new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.INHERIT).start();
      Thread reader = new Thread(() -> read(process, said), "life-" + process.pid());
      reader.setDaemon(true);
      reader.start();
      return new LifeProcess(process, reader);
    } catch (IOException e) {
      throw new UncheckedIOException("a JVM cannot be started: " + e.getMessage(), e);
    }
  }

  /** Ends it as {@code kill -9} does, and returns when it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Waits for its end; whether it came in time. */
  boolean hasEndedWithin(long millis) throws InterruptedException {
    return process.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  /** What it exited with, once all that it said has been read. */
  int exitCode() throws InterruptedException {
    reader.join();
    return process.exitValue();
  }

  /** Asks it to stop and waits until it has; kills it when that takes too long. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    process.destroy();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void read(Process process, Consumer<String> said) {
    try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
      lines.lines().forEach(said);
    } catch (IOException | UncheckedIOException e) {
      // A killed process's pipe breaks; what it had said is read.
      return;
    }
  }
}
