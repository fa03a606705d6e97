package dev.berth.driver;

import static dev.berth.driver.DriverClient.attach;
import static dev.berth.driver.DriverClient.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallLog;
import io.grpc.Status;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver as a process of its own, killed and started again. */
class DriverProcessIT {

  private static final int SIGTERM_EXIT = 143;

  @TempDir private Path directory;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void killWhatIsLeft() {
    started.forEach(Process::destroyForcibly);
  }

  private Process start(Path socket, String settings) throws IOException {
    Path spec = Files.writeString(directory.resolve("spec.properties"), settings);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--socket",
                socket.toString(),
                "--spec",
                spec.toString(),
                "--log",
                directory.resolve("calls.jsonl").toString(),
                "--state-dir",
                directory.resolve("state").toString())
            .redirectError(directory.resolve("stderr.txt").toFile())
            .start();
    started.add(process);
    return process;
  }

  private Path socket() {
    return directory.resolve("csi.sock");
  }

  /** Passes over what logging may have to say. */
  private static String readyLine(Process process) throws IOException {
    BufferedReader out = process.inputReader();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("ready ")) {
        return line;
      }
    }
    throw new AssertionError("the driver ended before it was ready");
  }

  @Test
  void attachmentsAndLogSurviveAKill() throws Exception {
    String settings =
        """
        plugin=ebs
        provider.nodes=i-1,i-2
        provider.single-node-volumes=v,w
        rule.1=rpc=CP volume=w do=hang
        """;
    Process first = start(socket(), settings);
    assertThat(readyLine(first)).isEqualTo("ready unix://" + socket());
    try (DriverClient client = new DriverClient("unix://" + socket())) {
      client.controller().controllerPublishVolume(attach("v", "i-1"));
      var open = client.controllerInBackground().controllerPublishVolume(attach("w", "i-2"));
      Path log = directory.resolve("calls.jsonl");
      await().until(() -> CallLog.read(log).size() == 2);
      first.destroyForcibly().waitFor();
      await().until(open::isDone);
    }
    assertThat(socket()).exists();

    Process second = start(socket(), settings);
    readyLine(second);
    try (DriverClient client = new DriverClient("unix://" + socket())) {
      assertThat(
              code(
                  () ->
                      client
                          .controller(Duration.ofSeconds(20))
                          .controllerPublishVolume(attach("v", "i-2"))))
          .isEqualTo(Status.Code.FAILED_PRECONDITION);
    }
    second.destroy();
    assertThat(second.waitFor(20, TimeUnit.SECONDS)).isTrue();

    assertThat(second.exitValue()).isEqualTo(SIGTERM_EXIT);
    assertThat(socket()).doesNotExist();
    assertThat(CallLog.read(directory.resolve("calls.jsonl")))
        .extracting(Call::describe)
        .containsExactly(
            "#1 CP v i-1 rw -> OK",
            "#4 CP w i-2 rw -> UNAVAILABLE",
            "#6 CP v i-2 rw -> FAILED_PRECONDITION");
  }

  @Test
  void secondProcessOnTheSameStateIsRefused() throws Exception {
    Process first = start(socket(), "plugin=ebs\n");
    readyLine(first);

    Process second = start(directory.resolve("other.sock"), "plugin=ebs\n");

    assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(second.exitValue()).isEqualTo(1);
    assertThat(Files.readString(directory.resolve("stderr.txt")))
        .contains("provider.jsonl is in use by another driver");
  }
}
