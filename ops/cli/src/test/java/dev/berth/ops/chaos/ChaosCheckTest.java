package dev.berth.ops.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.Rpc;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChaosCheckTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final List<Call> TOGETHER = List.of(attach(0, 3, "v1"), attach(1, 2, "v2"));

  @Test
  void nothingIsWrongWhereNothingHappened() {
    assertThat(ChaosCheck.of(evidence(List.of(), List.of(), List.of())))
        .isEqualTo(new ChaosCheck(List.of(), List.of()));
  }

  @Test
  void twoOpenCallsOfALaneAreAProblem() {
    assertThat(ChaosCheck.of(evidence(TOGETHER, List.of(), List.of())).problems())
        .singleElement()
        .asString()
        .contains("2 controller calls of plugin ebs were open together");
  }

  @Test
  void aCallSentByAWorkerThatJustWokeUpIsCountedApart() {
    ChaosCheck check = ChaosCheck.of(evidence(TOGETHER, List.of(stopped("worker-1")), List.of()));
    assertThat(check.problems()).isEmpty();
    assertThat(check.apart()).hasSize(1);
  }

  @Test
  void theStopOfAnythingElseExplainsNothing() {
    ChaosCheck check = ChaosCheck.of(evidence(TOGETHER, List.of(stopped("streams-1")), List.of()));
    assertThat(check.problems()).hasSize(1);
    assertThat(check.apart()).isEmpty();
  }

  @Test
  void whatEndedByItselfAndWhatIsLeftAttachedAreProblems() {
    assertThat(ChaosCheck.of(evidence(List.of(), List.of(), List.of("worker-2"))).problems())
        .containsExactly(
            "the attachments still hold key of worker-2", "process worker-2 ended by itself");
  }

  private static Strikes.Done stopped(String target) {
    Fault fault = new Fault(Duration.ZERO, Fault.Kind.STOP, target, ChaosSchedule.LONGEST_STOP);
    return new Strikes.Done(fault, START.minusSeconds(13), START.plusMillis(500));
  }

  private static Call attach(long start, long end, String volume) {
    return new Call(
        start,
        new CallFacts("ebs", "controller-n1", Rpc.CONTROLLER_PUBLISH, volume, "i-n1", "", false),
        START.plusSeconds(start),
        Optional.empty(),
        Optional.of(new Call.End(end, START.plusSeconds(end), Status.Code.OK, "", false)));
  }

  private static Evidence evidence(
      List<Call> calls, List<Strikes.Done> strikes, List<String> dead) {
    return new Evidence(
        calls,
        Map.of(),
        List.of(),
        Map.of(),
        Map.of(),
        dead.stream().map(name -> "key of " + name).toList(),
        strikes,
        dead,
        false);
  }
}
