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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scenario files hold on a real stack as they do in virtual time. */
@Timeout(180)
class LiveRunsIT {
  /** One of each kind, of those that let no time pass. */
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("K04c", "lanes of one volume each"),
          Map.entry("K15f", "a fence, and the node that returns"),
          Map.entry("R19", "lanes of one volume on one node each"),
          Map.entry("S01b", "all calls by node workers"),
          Map.entry("S02", "a plugin without controller"),
          Map.entry("S08", "calls that the file answers one by one"),
          Map.entry("S10", "rejections"),
          Map.entry("S20a", "a node that is lost"),
          Map.entry("S43", "errors and retries"),
          Map.entry("S72", "an operator's commands that are refused"));

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

  /** None of the product's that can run live restarts only the application. */
  private static final String RESTART =
      """
      id: RESTART
      fixture: F0
      steps:
        - claim: {alloc: a1, node: n1, volume: vA, mode: write, access: single-node-writer}
        - expect: {rpcs: ["CP vol-a i-1 rw"], replies: {a1: granted}}
        - restart: streams
        - expect: {rpcs: [], table: {vA: {a1: {node: n1, state: taken}}}}
        - alloc: {id: a1, status: complete}
        - unmounted: {alloc: a1, volume: vA}
        - expect: {rpcs: ["CU vol-a i-1"], table: {vA: {}}, attachments: {vA: {}}}
      """;

  @TempDir private Path data;

  @Test
  void filesOfEachKindPassAndAWrongExpectationFailsWithItsLine()
      throws IOException, InterruptedException {
    List<ScenarioFile> files = new ArrayList<>(shipped(KINDS.keySet()));
    files.addAll(shipped(Set.of("S97")));
    files.add(written("restart.yaml", RESTART));
    files.add(written("wrong.yaml", WRONG));
    Clock clock = Clock.systemUTC();

    List<ScenarioReport> reports;
    try (LiveStack stack = new LiveStack(data.resolve("d"), clock)) {
      reports = new LiveRuns(stack, false, clock, System::nanoTime).run(files, done -> {});
    }

    Map<String, Verdict> expected = new TreeMap<>();
    KINDS.keySet().forEach(id -> expected.put(id, Verdict.PASSED));
    expected.put("S97", Verdict.NOT_LIVE);
    expected.put("RESTART", Verdict.PASSED);
    expected.put("WRONG", Verdict.FAILED);
    assertThat(reports.stream().filter(report -> !report.id().equals("WRONG")))
        .allSatisfy(
            report ->
                assertThat(report.failures())
                    .as("%s, %s", report.id(), KINDS.get(report.id()))
                    .isEmpty());
    assertThat(
            reports.stream().collect(Collectors.toMap(ScenarioReport::id, ScenarioReport::verdict)))
        .isEqualTo(expected);
    assertThat(reports.get(reports.size() - 1).failures())
        .map(failure -> failure.line() + " " + failure.what() + " " + failure.actual())
        .containsExactly("7 table vA a1 state taken");
  }

  private ScenarioFile written(String name, String text) throws IOException {
    return new ScenarioFile(name, Files.writeString(data.resolve(name), text));
  }

  private static List<ScenarioFile> shipped(Set<String> ids) {
    try (Stream<ScenarioFile> all = ScenarioFiles.shipped().stream()) {
      return all.filter(file -> ids.contains(file.stem().split("-", 2)[0])).toList();
    }
  }
}
