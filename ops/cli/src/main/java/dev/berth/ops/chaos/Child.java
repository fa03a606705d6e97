package dev.berth.ops.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One process of the cluster, with the classes of this one. Its standard input ends with this
 * process, and {@link ChildMain} then ends it too. For one thread.
 */
public final class Child {

  private static final String READY = "@chaos ready";
  private static final long PATIENCE_SECONDS = 60;

  private final String name;
  private final List<String> command = new ArrayList<>();
  private final Path log;
  private final Path errors;
  private Process process;
  private CountDownLatch ready = new CountDownLatch(1);

  private Child(String name, String main, List<String> arguments, Path logs, String heap) {
    this.name = name;
    this.log = log(logs, name);
    this.errors = logs.resolve(name + ".err");
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xmx" + heap, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    // Where whoever asks why a process ended looks for it; it would be in the working directory.
    command.add("-XX:ErrorFile=" + logs.resolve(name + "-crash-%p.log"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ChildMain.class.getName(), log.toString(), main));
    command.addAll(arguments);
    this.process = launch();
  }

  /** Starts it and returns at once; see {@code NAME.log} and {@code NAME.err}. */
  static Child start(String name, String main, List<String> arguments, Path logs, String heap) {
    return new Child(name, main, arguments, logs, heap);
  }

  static Path log(Path logs, String name) {
    return logs.resolve(name + ".log");
  }

  /** Tells, from within a child, that it serves. */
  static void sayReady() {
    System.out.println(READY);
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Its name and how it ended; for a process that is not alive. */
  String obituary() {
    return "%s (exit status %d)".formatted(name, process.exitValue());
  }

  /**
   * Waits until it says that it serves.
   *
   * @throws IllegalStateException when it does not within a minute
   */
  public void awaitReady() throws InterruptedException {
    if (!ready.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          "process %s does not serve: see %s and %s".formatted(name, errors, log));
    }
  }

  /** Starts it again after its end. */
  public void startAgain() {
    ready = new CountDownLatch(1);
    process = launch();
  }

  /** SIGKILL, which works on a stopped process too. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** SIGTERM; SIGKILL when that takes longer than half a minute. */
  public void end() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(PATIENCE_SECONDS / 2, TimeUnit.SECONDS)) {
      kill();
    }
  }

  /**
   * Sends a signal that Java has no word for.
   *
   * @param signal STOP or CONT
   */
  void signal(String signal) throws InterruptedException {
    try {
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
          .inheritIO()
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("kill cannot be run: " + e.getMessage(), e);
    }
  }

  private Process launch() {
    try {
      ProcessBuilder child =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
      // What is set for the operator's commands is not meant for the run's own processes.
      child.environment().keySet().removeIf(name -> name.startsWith("BERTH_"));
      Process started = child.start();
      CountDownLatch latch = ready;
      Thread reader = new Thread(() -> read(started, latch), "child-" + name);
      reader.setDaemon(true);
      reader.start();
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException("a JVM cannot be started: " + e.getMessage(), e);
    }
  }

  private static void read(Process process, CountDownLatch latch) {
    try (var lines = process.inputReader()) {
      lines.lines().filter(READY::equals).forEach(line -> latch.countDown());
    } catch (IOException | UncheckedIOException e) {
      // A killed process's pipe breaks; there is nothing more to hear.
      return;
    }
  }
}
