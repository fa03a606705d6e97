package dev.berth.streams.claims;

import static dev.berth.records.NodeStatus.DISCONNECTED;
import static dev.berth.records.NodeStatus.DOWN;
import static dev.berth.records.NodeStatus.GONE;
import static dev.berth.records.NodeStatus.READY;
import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.sharer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AccessMode;
import dev.berth.records.ClientStatus;
import dev.berth.records.EndCause;
import dev.berth.records.HoldCode;
import dev.berth.records.NodeStep;
import dev.berth.records.RpcCode;
import dev.berth.streams.command.Command;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("On the loss of its node a claim on its way out")
class NodeLossTest {
  private final Volumes vA = Volumes.f0("vA");

  @Test
  @DisplayName("is held and told to an operator at once, and no time frees it")
  void held() {
    lost(owner("a1", "n2"));
    List<String> letters = vA.deadLetters();

    vA.pass(Duration.ofDays(7));

    assertThat(letters).containsExactly("a1 node-lost");
    assertThat(vA.deadLetters()).isEmpty();
    assertThat(vA.requests()).isEmpty();
    assertThat(vA.table()).containsExactly("a1 n2 write unpublishing stuck=node-lost");
  }

  @Test
  @DisplayName("is detached when an operator fences the node, and the next claim is served")
  void fenced() {
    lost(owner("a1", "n2"));
    vA.claim(owner("a2", "n3"));
    vA.drain();

    vA.fence("n2", true);
    List<String> letters = vA.deadLetters();
    vA.answerAll();

    assertThat(letters).containsExactly("a1 resolved");
    assertThat(vA.requests()).containsExactly("CU vol-a i-2", "CP vol-a i-3 rw (slot)");
    assertThat(vA.table()).containsExactly("a2 n3 write taken");
  }

  @Test
  @DisplayName("goes on as usual when the node comes back")
  void back() {
    vA.world.policy("gc.threshold", "3h");
    lost(owner("a1", "n2"));
    vA.drain();

    vA.node("n2", READY);
    List<String> letters = vA.deadLetters();
    List<String> early = vA.requests();
    vA.unmounted("a1");

    assertThat(letters).containsExactly("a1 resolved");
    assertThat(early).isEmpty();
    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
  }

  @Test
  @DisplayName("is detached at once by the policy that trusts the scheduler's word")
  void policyDetach() {
    vA.world.policy("node-loss", "detach");

    lost(owner("a1", "n2"));

    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
    assertThat(vA.deadLetters()).isEmpty();
    assertThat(vA.row("a1").nodeStep()).isEqualTo(NodeStep.POLICY);
  }

  @Test
  @DisplayName(
      "is treated as unmounted when its promise to stop has run out since contact was first lost")
  void promise() {
    vA.grant(owner("a1", "n2").promising(Duration.ofMinutes(10)));
    vA.node("n2", DISCONNECTED);
    vA.pass(Duration.ofMinutes(6));
    vA.node("n2", DOWN);
    vA.client("a1", dev.berth.records.ClientStatus.LOST);
    vA.pass(Duration.ofMinutes(4).minusMillis(1));
    List<String> early = vA.requests();
    List<String> table = vA.table();

    vA.pass(Duration.ofMillis(1));

    assertThat(early).isEmpty();
    assertThat(table).containsExactly("a1 n2 write unpublishing hold=node-lost");
    assertThat(vA.deadLetters()).isEmpty();
    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
  }

  @Test
  @DisplayName("has no promise any more when the node came back before it ran out")
  void promiseVoid() {
    vA.world.policy("gc.threshold", "3h");
    lost(owner("a1", "n2").promising(Duration.ofMinutes(10)));
    vA.pass(Duration.ofMinutes(5));
    vA.node("n2", READY);

    vA.pass(Duration.ofMinutes(30));

    assertThat(vA.requests()).isEmpty();
    assertThat(vA.table()).containsExactly("a1 n2 write unpublishing");
  }

  @Test
  @DisplayName("is held as one without a promise when that runs out after the end of all times")
  void promiseWithoutEnd() {
    lost(owner("a1", "n2").promising(Duration.ofMillis(Long.MAX_VALUE)));

    vA.pass(Duration.ofDays(7));

    assertThat(vA.table()).containsExactly("a1 n2 write unpublishing stuck=node-lost");
    assertThat(vA.requests()).isEmpty();
  }

  @Test
  @DisplayName("is held in spite of its promise by the strictest policy")
  void policyHold() {
    vA.world.policy("node-loss", "hold");

    lost(owner("a1", "n2").promising(Duration.ofMinutes(5)));
    vA.pass(Duration.ofHours(2));

    assertThat(vA.table()).containsExactly("a1 n2 write unpublishing stuck=node-lost");
    assertThat(vA.requests()).isEmpty();
  }

  @Test
  @DisplayName("is let go by an operator's word for its volume alone")
  void unblocked() {
    lost(owner("a1", "n2"));
    vA.drain();

    vA.command(new Command.UnblockVolume("default", "vA"));

    assertThat(vA.answers()).containsExactly("ok");
    assertThat(vA.deadLetters()).containsExactly("a1 resolved");
    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
  }

  @Test
  @DisplayName("is detached when the node is gone")
  void gone() {
    lost(owner("a1", "n2"));
    vA.drain();

    vA.node("n2", GONE);

    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
    assertThat(vA.row("a1").nodeStep()).isEqualTo(NodeStep.NODE_GONE);
  }

  @Test
  @DisplayName("waits for its client while the node may still come back, whatever the policy")
  void disconnected() {
    vA.world.policy("node-loss", "detach");
    vA.grant(owner("a1", "n2"));
    vA.node("n2", DISCONNECTED);

    vA.ends("a1");
    vA.pass(Duration.ofMinutes(30));

    assertThat(vA.requests()).isEmpty();
    assertThat(vA.table()).containsExactly("a1 n2 write unpublishing stuck=node-unreachable");
  }

  @Test
  @DisplayName("is held, and a live one too, until the node is back")
  void liveClaimIsHeld() {
    vA.grant(owner("a1", "n2"));

    vA.node("n2", DOWN);
    List<String> lost = vA.table();
    vA.client("a1", ClientStatus.UNKNOWN);
    vA.node("n2", READY);

    assertThat(lost).containsExactly("a1 n2 write taken stuck=node-lost");
    assertThat(vA.deadLetters()).containsExactly("a1 node-lost", "a1 resolved");
    assertThat(vA.requests()).isEmpty();
    assertThat(vA.table()).containsExactly("a1 n2 write taken");
  }

  @Test
  @DisplayName("that is live goes when an operator unblocks its volume, but not from a live node")
  void liveClaimIsUnblocked() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n1"), sharer("a2", "n2"), sharer("a3", "n3"));
    vX.node("n2", DOWN);
    vX.node("n3", DISCONNECTED);

    vX.command(new Command.UnblockVolume("default", "vX"));

    assertThat(vX.answers()).containsExactly("ok");
    assertThat(vX.requests()).containsExactly("CU vol-x i-2");
    assertThat(vX.row("a2").ending())
        .isEqualTo(new Claim.Ending(World.START, EndCause.OPERATOR_DETACH));
    assertThat(vX.row("a1").live() && vX.row("a3").live()).isTrue();
  }

  @Test
  @DisplayName("ends while it waits too, so that its turn attaches nothing to a fenced node")
  void waitingClaimEnds() {
    vA.grant(owner("a1", "n1"));
    vA.claim(owner("a2", "n2"));
    vA.claim(owner("a3", "n3"));
    vA.drain();

    vA.node("n2", DOWN);
    vA.fence("n2", true);
    vA.unmounted("a1");
    vA.answerAll();

    assertThat(vA.replies()).containsExactly("a2 rejected alloc-terminal", "a3 granted");
    assertThat(vA.table()).containsExactly("a3 n3 write taken");
  }

  @Test
  @DisplayName("tells of the node, not of the call that waits for it, and tells it once")
  void callIsTakenBack() {
    Volumes vX = Volumes.f0("vX");
    vX.world.policy("node-step", "worker");
    vX.claim(sharer("a1", "n2"));
    vX.answerAll();
    vX.ends("a1");
    vX.lanes.open(vX.lanes.idOf("NU vol-x a1 @n2"));
    vX.node("n2", DOWN);

    vX.held("NU vol-x a1 @n2", HoldCode.NODE_UNREACHABLE, RpcCode.UNAVAILABLE, true, false);

    assertThat(vX.deadLetters()).containsExactly("a1 node-lost");
    assertThat(vX.table()).containsExactly("a1 n2 write unpublishing stuck=node-lost");
  }

  @Test
  @DisplayName("with its unstaging still owed is let go by an operator's word as well")
  void unblockedDuringUnstaging() {
    vA.world.policy("node-step", "worker");
    vA.claim(owner("a1", "n2"));
    vA.answerAll();
    vA.ends("a1");
    vA.ok("NU vol-a a1 @n2");

    vA.node("n2", DOWN);

    assertThat(vA.deadLetters()).containsExactly("a1 node-lost");
    assertThat(vA.requests()).endsWith("withdraw");

    vA.command(new Command.UnblockVolume("default", "vA"));

    assertThat(vA.answers()).containsExactly("ok");
    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
  }

  @Test
  @DisplayName("with an attach of its own on the way is let go only when that is back")
  void unblockedDuringOwnAttach() {
    Volumes vM = Volumes.f0("vM");
    vM.world.policy("node-step", "worker");
    vM.claim(Ask.reader("r1", "n2", AccessMode.MULTI_NODE_SINGLE_WRITER));
    vM.answerAll();
    vM.claim(Ask.writer("w2", "n2", AccessMode.MULTI_NODE_SINGLE_WRITER));
    vM.lanes.open(vM.lanes.idOf("CP vol-m i-2 rw"));
    vM.ends("w2");
    vM.node("n2", DOWN);
    vM.drain();

    vM.command(new Command.UnblockVolume("default", "vM"));

    assertThat(vM.answers()).containsExactly("ok");
    assertThat(vM.requests()).isEmpty();
    assertThat(vM.table()).containsExactly("r1 n2 read node-detached", "w2 n2 write unpublishing");
  }

  /** A claim whose node went down and whose alloc was given up. */
  private void lost(Ask ask) {
    vA.grant(ask);
    vA.node(ask.node(), DOWN);
    vA.client(ask.alloc(), dev.berth.records.ClientStatus.LOST);
  }
}
