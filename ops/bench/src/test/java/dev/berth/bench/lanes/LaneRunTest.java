package dev.berth.bench.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.Rpc;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LaneRunTest {
  private static final Instant ZERO = Instant.parse("2030-01-01T00:00:00Z");

  private static Call call(long number, long from, long to, Status.Code code) {
    return new Call(
        number,
        CallFacts.of("p", "i", Rpc.CONTROLLER_PUBLISH),
        ZERO.plusMillis(from),
        Optional.empty(),
        Optional.of(new Call.End(number + 1, ZERO.plusMillis(to), code, "", false)));
  }

  @Test
  @DisplayName("one lane is as busy as its calls' own times say, whatever was planned")
  void oneLane() {
    LaneRun run =
        LaneRun.of(
            List.of(call(1, 0, 40, Status.Code.OK), call(3, 50, 100, Status.Code.OK)),
            1,
            Duration.ofMillis(10));

    assertThat(run)
        .isEqualTo(
            new LaneRun(2, Duration.ofMillis(100), Duration.ofMillis(90), Duration.ofMillis(90)));
    assertThat(run.utilisation()).isCloseTo(0.9, within(1e-9));
    assertThat(run.rate()).isEqualTo(20);
  }

  @Test
  @DisplayName("several lanes are held to the plan: calls beside each other are no gain of time")
  void severalLanes() {
    LaneRun run =
        LaneRun.of(
            List.of(call(1, 0, 100, Status.Code.OK), call(2, 20, 125, Status.Code.OK)),
            2,
            Duration.ofMillis(100));

    assertThat(run.utilisation()).isCloseTo(0.8, within(1e-9));
    assertThat(run.inCalls()).isEqualTo(Duration.ofMillis(205));
  }

  @Test
  @DisplayName("a call that failed is no measurement")
  void failed() {
    assertThatThrownBy(
            () ->
                LaneRun.of(
                    List.of(call(1, 0, 40, Status.Code.UNAVAILABLE)), 1, Duration.ofMillis(10)))
        .hasMessageContaining("UNAVAILABLE");
  }
}
