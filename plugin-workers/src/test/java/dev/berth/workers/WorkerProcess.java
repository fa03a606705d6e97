package dev.berth.workers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A worker in a process of its own, for tests that stop or kill it. */
final class WorkerProcess implements AutoCloseable {

  private final Process process;

  private WorkerProcess(Process process) {
    this.process = process;
  }

  static WorkerProcess start(Path directory, Map<String, String> settings) throws IOException {
    Path file = directory.resolve("worker.properties");
    Files.writeString(
        file,
        settings.entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining("\n")),
        StandardCharsets.UTF_8);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("worker.out").toFile())
            .start();
    return new WorkerProcess(process);
  }

  /** Stops it where it stands (SIGSTOP). */
  void freeze() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** Lets it go on (SIGCONT). */
  void thaw() throws IOException, InterruptedException {
    signal("-CONT");
  }

  /** Kills it (SIGKILL). */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Asks it to end (SIGTERM) and waits. Returns whether it ended in time. */
  boolean terminate() throws InterruptedException {
    process.destroy();
    return process.waitFor(30, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private void signal(String signal) throws IOException, InterruptedException {
    int exit =
        new ProcessBuilder(List.of("kill", signal, Long.toString(process.pid()))).start().waitFor();
    if (exit != 0) {
      throw new IOException("kill " + signal + " exits " + exit);
    }
  }
}
