package dev.berth.workers.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.telemetry.Meters;
import dev.berth.workers.WorkFixtures;
import dev.berth.workers.accept.Accepted;
import dev.berth.workers.call.CallResult;
import dev.berth.workers.call.PluginCaller;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MeteredCallerTest {

  private static final Accepted ACCEPTED =
      WorkFixtures.accepted(WorkFixtures.work("ebs/1").build());

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

  @Test
  void aCallIsTimedByPluginCallAndCode() {
    call(new CallResult.Answered(RpcCode.OK, "", Map.of()), Duration.ofMillis(2500));
    call(new CallResult.Answered(RpcCode.OK, "", Map.of()), Duration.ofMillis(500));
    call(new CallResult.Answered(RpcCode.INTERNAL, "no disk", Map.of()), Duration.ofSeconds(1));

    assertThat(timer("OK", true).count()).isEqualTo(2);
    assertThat(timer("OK", true).totalTime(TimeUnit.MILLISECONDS)).isEqualTo(3000);
    assertThat(timer("INTERNAL", true).totalTime(TimeUnit.MILLISECONDS)).isEqualTo(1000);
    assertThat(registry.find("berth.rpc").timers()).hasSize(2);
  }

  @Test
  void aCallWithoutAnAnswerIsTimedAsSuch() {
    call(new CallResult.Unanswered(RpcCode.DEADLINE_EXCEEDED, "late"), Duration.ofMinutes(2));
    call(new CallResult.Unreached("no socket"), Duration.ofMillis(1));

    assertThat(timer("DEADLINE_EXCEEDED", false).totalTime(TimeUnit.SECONDS)).isEqualTo(120);
    assertThat(timer("UNAVAILABLE", false).count()).isEqualTo(1);
  }

  @Test
  void aCallThatWasNotSentIsCountedByItsReasonAndNotTimed() {
    call(new CallResult.NotSent(NotSentReason.TIME_PASSED, "too late"), Duration.ZERO);

    assertThat(
            registry
                .get("berth.calls.not.sent")
                .tags("plugin", "ebs", "reason", "time-passed")
                .counter()
                .count())
        .isEqualTo(1);
    assertThat(registry.find("berth.rpc").timers()).isEmpty();
  }

  @Test
  void fromTheFirstCallOnEveryReasonIsShownAsZero() {
    call(new CallResult.Answered(RpcCode.OK, "", Map.of()), Duration.ZERO);

    assertThat(registry.find("berth.calls.not.sent").counters())
        .hasSize(NotSentReason.values().length - 1)
        .allSatisfy(counter -> assertThat(counter.count()).isZero());
  }

  @Test
  void prometheusReadsAHistogram() {
    try (Meters meters = new Meters()) {
      CallResult ok = new CallResult.Answered(RpcCode.OK, "", Map.of());
      CallResult seen =
          MeteredCaller.over((accepted, call) -> ok, meters.registry())
              .call(ACCEPTED, WorkFixtures.call().build());

      assertThat(seen).isEqualTo(ok);
      String labels =
          "{answered=\"true\",code=\"OK\",plugin=\"ebs\",rpc=\"ControllerPublishVolume\"";
      assertThat(meters.scrape())
          .contains("berth_rpc_seconds_bucket" + labels + ",le=\"300.0\"} 1\n")
          .contains("berth_rpc_seconds_count" + labels + "} 1\n");
    }
  }

  private void call(CallResult result, Duration took) {
    PluginCaller caller =
        (accepted, call) -> {
          clock.add(took);
          return result;
        };
    assertThat(MeteredCaller.over(caller, registry).call(ACCEPTED, WorkFixtures.call().build()))
        .isEqualTo(result);
  }

  private Timer timer(String code, boolean answered) {
    return registry
        .get("berth.rpc")
        .tags(
            "plugin",
            "ebs",
            "rpc",
            "ControllerPublishVolume",
            "code",
            code,
            "answered",
            Boolean.toString(answered))
        .timer();
  }
}
