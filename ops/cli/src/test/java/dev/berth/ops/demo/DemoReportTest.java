package dev.berth.ops.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.terminal.Terminal;
import java.time.Duration;
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
            "Claims",
            "  1 taken, 1 of them had to wait first, 1 released",
            "  longest wait: 2.5 s, alloc-001 for volume ebs-01: held by alloc x on node n2 (TAKEN)",
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
  @DisplayName("a report as JSON holds the same, with times in milliseconds")
  void json() throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode expected =
        mapper.readTree(
            """
            {
              "ok": true,
              "script": {"allocs": 1, "volumes": 1, "nodes": 1, "seed": 1},
              "claims": {
                "taken": 1,
                "waited": 1,
                "released": 1,
                "longestWait": {
                  "millis": 2500,
                  "alloc": "alloc-001",
                  "volume": "ebs-01",
                  "reason": "held by alloc x on node n2 (TAKEN)"
                }
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
              "notOk": 0,
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

  private static DemoResult waited() {
    DemoResult good = DemoResults.good();
    ClaimStory story =
        new ClaimStory(
            "alloc-001",
            DemoResults.VOLUME,
            Optional.of("held by alloc x on node n2 (TAKEN)"),
            ClaimStory.Answer.GRANTED,
            Duration.ofMillis(2_500),
            true);
    return new DemoResult(
        good.script(),
        good.failure(),
        List.of(story),
        good.calls(),
        good.providers(),
        good.topics(),
        good.timing());
  }
}
