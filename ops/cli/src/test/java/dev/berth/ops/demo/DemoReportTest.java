package dev.berth.ops.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallEvent;
import dev.berth.driver.calls.Rpc;
import dev.berth.ops.demo.ClaimStory.Answer;
import dev.berth.ops.lives.Life;
import dev.berth.ops.terminal.Terminal;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DemoReportTest {

  private final Terminal terminal = Terminal.plain(System.out, System.err);

  @Test
  @DisplayName("a report of a good run says what was done, how fast, and that it was checked")
  void text() {
    assertThat(DemoReport.of(waited()).text(true, terminal))
        .containsExactly(
            "Replayed",
            "  pods.csv and nodes.csv: 1 allocs with 1 claims on 1 volumes and 1 nodes; 3 pods were"
                + " never scheduled and 0 fit nowhere: they claim nothing",
            "Claims",
            "  1 made, 1 granted, 1 of all had to wait, 1 released",
            "  0.5 claims and 2.0 events of allocs a second, over 2.0 s",
            "  from claim to grant: p50 250 ms, p99 250 ms, longest 250 ms",
            "Longest waits",
            "  waited  alloc  volume   because",
            "  250 ms  pod-1  ebs-001  held by alloc x on node n2 (TAKEN)",
            "Calls to the plugins",
            "  plugin  attach  detach  stage  unstage  publish  unpublish",
            "  ebs     1       1       1      1        1        1",
            "Lanes (one attach or detach at a time each)",
            "  ebs: 2 calls of 100 ms on average, busy 18 % of 1.1 s",
            "Time",
            "  ready 6.1 s and first grant 6.5 s after the start of the JVM; the run took 18 s",
            "  peak memory 400 MB resident",
            "All checked against the plugins' own log: one call per lane at a time, every step in"
                + " order, nothing left attached.");
  }

  @Test
  @DisplayName("a report of a bad run ends with the evidence")
  void bad() {
    DemoReport report = DemoReport.of(DemoCheckTest.failed(DemoResults.good(), "why"));
    assertThat(report.isGood()).isFalse();
    List<String> lines = report.text(false, terminal);
    assertThat(lines.subList(lines.size() - 2, lines.size()))
        .containsExactly("WRONG, in 1 way:", "  the run ended early: why");
  }

  @Test
  @DisplayName("a report of a killed run tells its lives, and which calls the kills have cut")
  void lives() {
    assertThat(DemoReport.of(killed()).text(false, terminal))
        .containsSubsequence(
            "  not OK: attach ABORTED 1, cut by a kill 1",
            "Lanes (one attach or detach at a time each)",
            "  ebs: 2 calls of 1.0 s on average, busy 66 % of 3.0 s",
            "Lives (killed with SIGKILL, started again on the same data)",
            "  2 kills asked, 2 done",
            "  life  first decision after  killed after  while",
            "  1     800 ms                2.0 s         replaying, 12 of 40 done",
            "  2     -                     1.0 s         starting",
            "  3     9.0 s                 -             (to the end)");
  }

  @Test
  @DisplayName("a run that was killed less often than asked is bad, and both numbers are told")
  void missedKills() throws JsonProcessingException {
    DemoReport report = DemoReport.of(DemoCheckTest.killed(3, 1));

    assertThat(report.isGood()).isFalse();
    assertThat(report.text(false, terminal))
        .containsSubsequence(
            "  3 kills asked, 1 done",
            "WRONG, in 1 way:",
            "  only 1 of 3 kills were done: a life ended before its kill");
    ObjectMapper mapper = new ObjectMapper();
    JsonNode document = mapper.readTree(report.json(mapper).toString());
    assertThat(document.get("ok").asBoolean()).isFalse();
    assertThat(document.get("kills")).isEqualTo(mapper.readTree("{\"asked\": 3, \"done\": 1}"));
  }

  @Test
  @DisplayName("a report as JSON holds the same, with times in milliseconds")
  void json() throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode expected =
        mapper.readTree(
            """
            {
              "ok": true,
              "plan": {
                "trace": "pods.csv and nodes.csv",
                "allocs": 1,
                "claims": 1,
                "volumes": 1,
                "nodes": 1,
                "neverScheduled": 3,
                "unplaced": 0
              },
              "claims": {"made": 1, "granted": 1, "waited": 1, "released": 1, "rejected": {}},
              "throughput": {
                "spanMillis": 2000,
                "claimsPerSecond": 0.5,
                "allocEvents": 4,
                "eventsPerSecond": 2.0
              },
              "waits": {
                "p50Millis": 250,
                "p99Millis": 250,
                "maxMillis": 250,
                "longest": [
                  {
                    "millis": 250,
                    "alloc": "pod-1",
                    "volume": "ebs-001",
                    "reason": "held by alloc x on node n2 (TAKEN)"
                  }
                ]
              },
              "rpcs": {
                "ebs": {
                  "ControllerPublishVolume": 1,
                  "ControllerUnpublishVolume": 1,
                  "NodeStageVolume": 1,
                  "NodeUnstageVolume": 1,
                  "NodePublishVolume": 1,
                  "NodeUnpublishVolume": 1
                }
              },
              "notOk": {},
              "lanes": {
                "ebs": {"calls": 2, "meanMillis": 100, "busyPercent": 18, "spanMillis": 1100}
              },
              "leftAttached": 0,
              "timing": {
                "untilReadyMillis": 6100,
                "untilFirstGrantMillis": 6500,
                "runMillis": 18000,
                "peakMemoryKb": 409600
              },
              "problems": []
            }
            """);
    JsonNode document = DemoReport.of(waited()).json(mapper);
    assertThat(mapper.readTree(document.toString())).isEqualTo(expected);
  }

  @Test
  @DisplayName("a report of a killed run as JSON has its lives and the cut calls")
  void livesAsJson() throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode document = mapper.readTree(DemoReport.of(killed()).json(mapper).toString());
    assertThat(document.get("notOk"))
        .isEqualTo(
            mapper.readTree(
                """
                {"ControllerPublishVolume": {"ABORTED": 1, "cut by a kill": 1}}
                """));
    assertThat(document.get("kills")).isEqualTo(mapper.readTree("{\"asked\": 2, \"done\": 2}"));
    assertThat(document.get("lives").get(0))
        .isEqualTo(
            mapper.readTree(
                """
                {
                  "startedAt": "1970-01-01T00:00:00Z",
                  "untilFirstDecisionMillis": 800,
                  "killed": {
                    "at": "1970-01-01T00:00:02Z", "during": "replaying", "done": 12, "total": 40
                  }
                }
                """));
  }

  private static DemoResult waited() {
    ClaimStory good = DemoResults.story(Answer.GRANTED, 1, 1);
    return DemoResults.with(
        List.of(
            new ClaimStory(
                good.claim(),
                good.askedAt(),
                Optional.of("held by alloc x on node n2 (TAKEN)"),
                good.answer(),
                good.reason(),
                good.answeredAt(),
                1,
                1)));
  }

  /** A call that was open when its process was killed, and one that was refused afterwards. */
  private static DemoResult killed() {
    DemoResult good = DemoResults.good();
    List<CallEvent> log = new ArrayList<>();
    log.add(new CallEvent.Started(1, second(0), DemoResults.facts(Rpc.CONTROLLER_PUBLISH)));
    log.add(new CallEvent.Restarted(2, second(9)));
    log.add(new CallEvent.Started(3, second(3), DemoResults.facts(Rpc.CONTROLLER_PUBLISH)));
    log.add(new CallEvent.Ended(4, second(3), 3, Status.Code.ABORTED, ""));
    List<Call> calls = Call.fold(log);
    List<Life> lives =
        List.of(
            new Life(second(0), Optional.of(new Life.Kill(second(2), "replaying", 12, 40))),
            new Life(second(4), Optional.of(new Life.Kill(second(5), "starting", 0, 0))),
            new Life(second(6), Optional.empty()));
    return new DemoResult(
        good.plan(),
        Optional.empty(),
        calls,
        good.providers(),
        good.topics(),
        2,
        LifeStory.of(lives, List.of(second(15), Instant.ofEpochMilli(800), second(1))),
        good.timing());
  }

  private static Instant second(long second) {
    return Instant.EPOCH.plus(Duration.ofSeconds(second));
  }
}
