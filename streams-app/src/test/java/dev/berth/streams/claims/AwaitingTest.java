package dev.berth.streams.claims;

import static dev.berth.streams.claims.Ask.sharer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import dev.berth.records.RpcCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A claim that waits for what was asked for before it came")
class AwaitingTest {
  private final Volumes vX = Volumes.f0("vX");

  @Test
  @DisplayName("shows, and is told, why an attach waits")
  void heldAttach() {
    vX.claim(sharer("a1", "n1"));
    vX.held("CP vol-x i-1 rw", HoldCode.CONTROLLER_ERROR, RpcCode.ABORTED, false, false);
    vX.drain();

    vX.claim(sharer("a2", "n1"));

    assertThat(vX.replies()).containsExactly("a2 waiting hold=controller-error");
    assertThat(vX.row("a2").hold()).isEqualTo(vX.row("a1").hold());
    vX.ok("CP vol-x i-1 rw");
    assertThat(vX.table()).containsExactly("a1 n1 write taken", "a2 n1 write taken");
  }

  @Test
  @DisplayName("shows why an attach that is made again waits, and gets a letter where others have")
  void heldAttachAgain() {
    vX.grant(sharer("a1", "n1"));
    vX.listed(later());
    vX.held("CP vol-x i-1 rw", HoldCode.CONTROLLER_ERROR, RpcCode.INTERNAL, false, true);
    vX.drain();

    vX.claim(sharer("a2", "n1"));

    assertThat(vX.replies()).containsExactly("a2 waiting hold=controller-error");
    assertThat(vX.deadLetters()).containsExactly("a2 controller-error at controller-publish");
    vX.ok("CP vol-x i-1 rw");
    assertThat(vX.replies()).containsExactly("a2 granted");
    assertThat(vX.deadLetters()).containsExactly("a1 resolved", "a2 resolved");
  }

  @Test
  @DisplayName("shows why a stage waits")
  void heldStage() {
    vX.world.policy("node-step", "worker");
    vX.claim(sharer("a1", "n1"));
    vX.ok("CP vol-x i-1 rw");
    vX.held("NS vol-x @n1", HoldCode.NODE_ERROR, RpcCode.UNAVAILABLE, true, false);
    vX.drain();

    vX.claim(sharer("a2", "n1"));

    assertThat(vX.replies()).containsExactly("a2 waiting hold=node-error");
  }

  @Test
  @DisplayName("shows that nobody takes an attach which is taken back for it")
  void attachTakenBack() {
    vX.claim(sharer("a1", "n1"));
    vX.lanes.open(vX.lanes.idOf("CP vol-x i-1 rw"));
    vX.ends("a1");
    vX.held("CP vol-x i-1 rw", HoldCode.NO_WORKER, null, false, false);
    vX.drain();

    vX.claim(sharer("a2", "n1"));

    assertThat(vX.replies()).containsExactly("a2 waiting hold=no-worker");
  }

  @Test
  @DisplayName("is held on a node without contact until what went there can be attached again")
  void missingWithoutContact() {
    vX.grant(sharer("a1", "n1"));
    vX.node("n1", NodeStatus.DISCONNECTED);
    vX.listed(later());
    vX.drain();

    vX.claim(sharer("a2", "n1"));
    List<String> told = vX.replies();
    List<String> table = vX.table();
    vX.pass(Duration.ofDays(1).minusMinutes(1));
    List<String> letters = vX.deadLetters();
    vX.node("n1", NodeStatus.READY);

    assertThat(told).containsExactly("a2 waiting hold=node-unreachable");
    assertThat(table)
        .containsExactly("a1 n1 write taken", "a2 n1 write taken hold=node-unreachable");
    assertThat(letters).containsExactly("a2 node-unreachable");
    assertThat(vX.deadLetters()).containsExactly("a2 resolved");
    assertThat(vX.requests()).containsExactly("CP vol-x i-1 rw");
    vX.ok("CP vol-x i-1 rw");
    assertThat(vX.replies()).containsExactly("a2 granted");
  }

  private Instant later() {
    vX.world.pass(Duration.ofMinutes(1));
    return vX.world.now();
  }
}
