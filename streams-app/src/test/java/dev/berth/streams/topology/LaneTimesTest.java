package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.schemas.headers.Step;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.headers.Trace;
import dev.berth.schemas.headers.Traces;
import dev.berth.streams.lanes.CallEnd;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The traces that lanes remember")
class LaneTimesTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Trace ONE = trace("1");
  private static final Trace TWO = trace("2");

  private final LaneTimes times = new LaneTimes();

  @Test
  @DisplayName("are told of each call of a run")
  void run() {
    requested("r1", ONE);
    requested("r2", Trace.NONE);
    requested("r3", TWO);

    assertThat(times.dispatched(work("r1", "r2", "r3")).traces())
        .isEqualTo(new Traces(List.of(ONE, Trace.NONE, TWO)));
  }

  @Test
  @DisplayName("are those of the request that is settled, whatever outcome is in hand")
  void settled() {
    requested("r1", ONE);
    requested("r2", TWO);
    times.begin(reported("r1"), StepTimes.NONE.within(Traces.of(ONE)), NOW);

    assertThat(times.settled(settlement("r2")).traces()).isEqualTo(Traces.of(TWO));
    assertThat(times.settled(settlement("r1")).traces()).isEqualTo(Traces.of(ONE));
  }

  @Test
  @DisplayName("are what the outcome says after a change of owner, when nothing is remembered")
  void anotherOwner() {
    StepTimes said =
        StepTimes.NONE.within(Traces.of(TWO)).with(Step.RPC_ENDED, NOW.minusSeconds(1));
    times.begin(reported("r1"), said, NOW);

    assertThat(times.settled(settlement("r1"))).isEqualTo(said.with(Step.SETTLED, NOW));
  }

  private void requested(String id, Trace trace) {
    LaneRequest request =
        new LaneRequest(id, "ebs", "default/v1", NOW, new LaneRequest.Enqueue(call(), false));
    times.begin(new LanesEvent.Requested(request), StepTimes.NONE.within(Traces.of(trace)), NOW);
  }

  private static LanesEvent reported(String request) {
    return new LanesEvent.OutcomeArrived(
        "ebs/1",
        "x1",
        "ebs",
        request,
        0,
        new CallEnd(CallFate.ANSWERED, NotSentReason.NONE, RpcCode.OK, "", Map.of(), NOW, NOW));
  }

  private static Settlement settlement(String request) {
    return new Settlement(
        request, "default/v1", "ebs", null, NOW, new Settlement.Done(RpcCode.OK, false, Map.of()));
  }

  private static Work work(String... requests) {
    return new Work(
        "ebs/1",
        "ebs",
        "ebs/controller",
        "pool",
        "n1",
        "",
        0,
        Duration.ofMinutes(1),
        NOW,
        List.of(requests).stream().map(id -> new Work.WorkCall(id, call())).toList());
  }

  private static Call call() {
    return new Call(
        CsiCall.CONTROLLER_PUBLISH,
        "default",
        "v1",
        "a1",
        "n1",
        "vol-1",
        "i-1",
        AccessMode.SINGLE_NODE_WRITER,
        AttachmentMode.FILE_SYSTEM,
        false,
        null,
        List.of(),
        Map.of(),
        Map.of(),
        Map.of());
  }

  private static Trace trace(String digit) {
    return new Trace("00-" + digit.repeat(32) + "-" + digit.repeat(16) + "-01", "");
  }
}
