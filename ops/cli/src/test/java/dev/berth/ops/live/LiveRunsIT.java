package dev.berth.ops.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.scenario.LiveRuns;
import dev.berth.ops.scenario.ScenarioFile;
import dev.berth.ops.scenario.ScenarioFiles;
import dev.berth.ops.scenario.ScenarioReport;
import dev.berth.ops.scenario.ScenarioReport.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scenario files hold on a real stack as they do in virtual time. */
@Timeout(180)
class LiveRunsIT {
  private static final String WRONG =
      """
      id: WRONG
      fixture: F0
      steps:
        - claim: {alloc: a1, node: n1, volume: vA, mode: write, access: single-node-writer}
        - expect:
            rpcs: ["CP vol-a i-1 rw"]
            table: {vA: {a1: {state: node-detached}}}
      """;

  @TempDir private Path data;

  @Test
  void filesOfTheProductPassAndAWrongExpectationFailsWithItsLine()
      throws IOException, InterruptedException {
    Path wrong = Files.writeString(data.resolve("wrong.yaml"), WRONG);
    List<ScenarioFile> files =
        new ArrayList<>(shipped(Set.of("S01a", "S02", "S08", "S10", "K08a", "S97")));
    files.add(new ScenarioFile("wrong.yaml", wrong));
    Clock clock = Clock.systemUTC();

    List<ScenarioReport> reports;
    try (LiveStack stack = new LiveStack(data.resolve("d"), clock)) {
      reports = new LiveRuns(stack, false, clock, System::nanoTime).run(files, done -> {});
    }

    assertThat(reports)
        .extracting(report -> report.id() + " " + report.verdict() + " " + report.failures())
        .startsWith(
            "S01a " + Verdict.PASSED + " []",
            "S02 " + Verdict.PASSED + " []",
            "S08 " + Verdict.PASSED + " []",
            "S97 " + Verdict.NOT_LIVE + " []");
    assertThat(reports.get(reports.size() - 1).failures())
        .map(failure -> failure.line() + " " + failure.what() + " " + failure.actual())
        .containsExactly("7 table vA a1 state taken");
  }

  private static List<ScenarioFile> shipped(Set<String> ids) {
    try (Stream<ScenarioFile> all = ScenarioFiles.shipped().stream()) {
      return all.filter(file -> ids.contains(file.stem().split("-", 2)[0])).toList();
    }
  }
}
