package dev.berth.ops.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.chaos.ChaosSchedule;
import dev.berth.ops.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command does before it starts any process. */
class ChaosCommandTest {

  private static final String RESULT =
      "{\"seed\":1,\"seconds\":180,\"groups\":\"classic\",\"callsOutlive\":false,\"good\":";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path directory = Path.of(".");

  @Test
  void aSeedWithAResultIsPassedOverAndItsResultTells() throws IOException {
    String ours = ",\"schedule\":%d}]".formatted(ChaosSchedule.VERSION);

    assertThat(resume("[" + RESULT + "true" + ours)).isEqualTo(ExitCode.OK);
    assertThat(resume("[" + RESULT + "false" + ours)).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void resultsOfOtherSchedulesAreNotMixedWithOurs() throws IOException {
    assertThat(resume("[" + RESULT + "true}]")).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString(UTF_8).replaceAll("\\s+", " "))
        .contains(
            "--resume: "
                + directory.resolve("chaos.json")
                + " holds results of version 1 of the schedules, and this is version 2: name"
                + " another file");
  }

  private int resume(String results) throws IOException {
    Path file = Files.writeString(directory.resolve("chaos.json"), results);
    return BerthCommand.run(
        Terminal.plain(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)),
        "chaos",
        "--seed",
        "1",
        "--resume",
        file.toString());
  }
}
