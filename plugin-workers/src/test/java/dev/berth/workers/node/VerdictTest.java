package dev.berth.workers.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Fence;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeView;
import dev.berth.workers.WorkFixtures;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class VerdictTest {

  @ParameterizedTest
  @EnumSource(names = {"READY", "DISCONNECTED"})
  void workOfThePresentIncarnationIsCarriedOut(NodeStatus status) {
    assertThat(Verdict.of("n1", 7, Optional.of(view(status, 7, false))))
        .isEqualTo(new Verdict.Meant());
  }

  @Test
  void workFromBeforeTheNodeCameBackIsRefused() {
    assertThat(Verdict.of("n1", 7, Optional.of(view(NodeStatus.READY, 8, false))))
        .isEqualTo(new Verdict.Refused("meant for incarnation 7 of node n1, which is 8 now"));
  }

  @ParameterizedTest
  @CsvSource({
    "DOWN, false, down",
    "GONE, false, gone",
    "DOWN, true, down and fenced",
    "DISCONNECTED, true, disconnected and fenced"
  })
  void workForAnIncarnationThatHasEndedIsRefused(NodeStatus status, boolean fenced, String state) {
    assertThat(Verdict.of("n1", 7, Optional.of(view(status, 7, fenced))))
        .isEqualTo(
            new Verdict.Refused(
                "meant for incarnation 7 of node n1, which has ended: the node is " + state));
  }

  @Test
  void aNodeThatIsBackUnderItsFenceIsCleanedUp() {
    assertThat(Verdict.of("n1", 8, Optional.of(view(NodeStatus.READY, 8, true))))
        .isEqualTo(new Verdict.Meant());
  }

  @Test
  void workIsNotJudgedByAViewThatIsOlderThanIt() {
    assertThat(Verdict.of("n1", 7, Optional.of(view(NodeStatus.READY, 6, false))))
        .isEqualTo(
            new Verdict.Behind("meant for incarnation 7 of node n1, of which only 6 is known"));
    assertThat(Verdict.of("n1", 7, Optional.empty()))
        .isEqualTo(
            new Verdict.Behind("meant for incarnation 7 of node n1, of which nothing is known"));
  }

  private static NodeView view(NodeStatus status, long incarnation, boolean fenced) {
    return NodeView.newBuilder()
        .setNode("n1")
        .setScheduler("nomad")
        .setStatus(status)
        .setEligible(true)
        .setIncarnation(incarnation)
        .setFence(fenced ? new Fence("ops", "power off", WorkFixtures.NOON, null) : null)
        .build();
  }
}
