package dev.berth.streams.claims;

import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.sharer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import dev.berth.records.RpcCode;
import dev.berth.records.Staging;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Where node workers do the node step")
class WorkerNodeStepTest {
  private final Volumes vA = Volumes.f0("vA");
  private final Volumes vX = Volumes.f0("vX");

  @BeforeEach
  void workers() {
    vA.world.policy("node-step", "worker");
    vX.world.policy("node-step", "worker");
  }

  @Test
  @DisplayName("all six calls follow one another in their one allowed order")
  void allSix() {
    vA.claim(owner("a1", "n2"));
    vA.answerAll();
    List<String> replies = vA.replies();
    vA.ends("a1");
    vA.answerAll();

    assertThat(vA.requests())
        .containsExactly(
            "CP vol-a i-2 rw (slot)",
            "NS vol-a @n2",
            "NP vol-a a1 @n2",
            "NU vol-a a1 @n2",
            "NT vol-a @n2",
            "CU vol-a i-2");
    assertThat(replies).containsExactly("a1 granted");
    assertThat(vA.table()).isEmpty();
    assertThat(vA.attachments()).isEmpty();
  }

  @Test
  @DisplayName("a claim that waits for a call on a lost node says so until the node is back")
  void lostBeforeTheGrant() {
    vA.claim(owner("a1", "n2"));
    vA.ok("CP vol-a i-2 rw", Map.of("dev", "d"));
    vA.node("n2", NodeStatus.DOWN);

    vA.held("NS vol-a @n2", HoldCode.NODE_LOST, null, false, true);
    vA.look(false);

    assertThat(vA.row("a1").hold()).extracting(Hold::code).isEqualTo(HoldCode.NODE_LOST);
    assertThat(vA.deadLetters()).hasSize(1);
  }

  @Test
  @DisplayName("a call waits for the answer to the one before")
  void oneAfterAnother() {
    vA.claim(owner("a1", "n2"));
    vA.ok("CP vol-a i-2 rw", Map.of("dev", "d"));
    vA.drain();

    vA.ok("NS vol-a @n2");

    LaneRequest publish = vA.laneRequests().get(0);
    assertThat(Notation.request(publish)).isEqualTo("NP vol-a a1 @n2");
    assertThat(((LaneRequest.Enqueue) publish.body()).call().publishContext())
        .isEqualTo(Map.of("dev", "d"));
    assertThat(vA.replies()).isEmpty();
  }

  @Test
  @DisplayName("a plugin that neither attaches nor stages sees only node publish and unpublish")
  void nodeOnlyPlugin() {
    Volumes vN = Volumes.f0("vN");
    vN.world.policy("node-step", "worker");
    vN.lanes.auto();

    vN.claim(sharer("a1", "n1"));
    vN.ends("a1");

    assertThat(vN.requests()).containsExactly("NP exp-n a1 @n1", "NU exp-n a1 @n1");
    assertThat(vN.table()).isEmpty();
  }

  @Test
  @DisplayName("a live sibling keeps staging and attachment")
  void liveSibling() {
    vX.lanes.auto();
    vX.claim(sharer("a1", "n2"));
    vX.claim(sharer("a2", "n2"));
    vX.drain();

    vX.ends("a1");
    List<String> first = vX.requests();
    vX.ends("a2");

    assertThat(first).containsExactly("NU vol-x a1 @n2");
    assertThat(vX.requests()).containsExactly("NU vol-x a2 @n2", "NT vol-x @n2", "CU vol-x i-2");
  }

  @Test
  @DisplayName("a failed unmount of one dead claim keeps the disk under the other")
  void failedUnmount() {
    vX.claim(sharer("a1", "n2"));
    vX.claim(sharer("a2", "n2"));
    vX.answerAll();
    vX.ends("a2");
    vX.held("NU vol-x a2 @n2", HoldCode.NODE_ERROR, RpcCode.UNAVAILABLE, true, false);
    vX.drain();

    vX.ends("a1");
    vX.ok("NU vol-x a1 @n2");

    assertThat(vX.requests()).containsExactly("NU vol-x a1 @n2");
    assertThat(vX.table())
        .containsExactly("a1 n2 write node-detached", "a2 n2 write unpublishing hold=node-error");
  }

  @Test
  @DisplayName("a mount that may have happened is unmounted when its alloc ends")
  void failedMount() {
    vA.claim(owner("a1", "n2"));
    vA.ok("CP vol-a i-2 rw");
    vA.ok("NS vol-a @n2");
    vA.held("NP vol-a a1 @n2", HoldCode.NODE_ERROR, RpcCode.INTERNAL, true, false);
    vA.drain();

    vA.ends("a1");
    vA.answerAll();

    assertThat(vA.requests())
        .containsExactly("withdraw", "NU vol-a a1 @n2", "NT vol-a @n2", "CU vol-a i-2");
    assertThat(vA.table()).isEmpty();
  }

  @Test
  @DisplayName("a mount that was only queued is not unmounted")
  void queuedMount() {
    vA.claim(owner("a1", "n2"));
    vA.ok("CP vol-a i-2 rw");
    vA.ok("NS vol-a @n2");
    vA.drain();

    vA.ends("a1");
    vA.answerAll();

    assertThat(vA.requests()).containsExactly("withdraw", "NT vol-a @n2", "CU vol-a i-2");
  }

  @Test
  @DisplayName("a staging that was only queued is not undone")
  void queuedStaging() {
    vA.claim(owner("a1", "n2"));
    vA.ok("CP vol-a i-2 rw");
    vA.drain();

    vA.ends("a1");
    vA.answerAll();

    assertThat(vA.requests()).containsExactly("withdraw", "CU vol-a i-2");
  }

  @Test
  @DisplayName("a staging that may have happened is undone")
  void uncertainStaging() {
    vA.claim(owner("a1", "n2"));
    vA.ok("CP vol-a i-2 rw");
    vA.held("NS vol-a @n2", HoldCode.NODE_ERROR, RpcCode.INTERNAL, true, false);
    vA.drain();

    vA.ends("a1");
    vA.answerAll();

    assertThat(vA.requests()).containsExactly("withdraw", "NT vol-a @n2", "CU vol-a i-2");
  }

  @Test
  @DisplayName(
      "a staging that failed for good rejects its claim and keeps the attachment for its detach")
  void stagingRejected() {
    vA.claim(owner("a1", "n2"));
    vA.ok("CP vol-a i-2 rw");
    vA.drain();

    vA.answer("NS vol-a @n2", AttachTest.failed(RpcCode.INVALID_ARGUMENT, true));
    vA.answerAll();

    assertThat(vA.replies()).containsExactly("a1 rejected plugin-error");
    assertThat(vA.requests()).containsExactly("NT vol-a @n2", "CU vol-a i-2");
  }

  @Test
  @DisplayName("a new claim takes a queued unstaging back")
  void claimDuringUnstaging() {
    vX.claim(sharer("a1", "n2"));
    vX.answerAll();
    vX.ends("a1");
    vX.ok("NU vol-x a1 @n2");
    vX.drain();

    vX.claim(sharer("a2", "n2"));
    vX.answerAll();

    assertThat(vX.requests()).containsExactly("withdraw", "NP vol-x a2 @n2");
    assertThat(vX.replies()).containsExactly("a2 granted");
  }

  @Test
  @DisplayName("after a crash between two steps the work goes on at the next")
  void resumes() {
    vA.claim(owner("a1", "n2"));
    vA.answerAll();
    vA.ends("a1");
    vA.ok("NU vol-a a1 @n2");
    vA.ok("NT vol-a @n2");
    vA.drain();

    vA.look(false);

    assertThat(vA.requests()).isEmpty();
    assertThat(vA.lanes.calls()).containsExactly("CU vol-a i-2");
  }

  @Test
  @DisplayName("a staging that nobody can answer any more is given up with the node")
  void nodeLostDuringStaging() {
    vA.claim(owner("a1", "n2"));
    vA.ok("CP vol-a i-2 rw");
    vA.lanes.open(vA.lanes.idOf("NS vol-a @n2"));
    vA.drain();

    vA.node("n2", NodeStatus.GONE);

    assertThat(vA.requests()).containsExactly("withdraw", "CU vol-a i-2");
  }

  @Test
  @DisplayName("a lost node is not unstaged")
  void lostNode() {
    vA.world.policy("node-loss", "detach");
    vA.claim(owner("a1", "n2"));
    vA.answerAll();
    vA.drain();

    vA.node("n2", NodeStatus.DOWN);

    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
  }

  @Test
  @DisplayName("an unstaging that waits for a node is given up with the node")
  void nodeLostDuringUnstaging() {
    vA.claim(owner("a1", "n2"));
    vA.answerAll();
    vA.ends("a1");
    vA.ok("NU vol-a a1 @n2");
    vA.drain();

    vA.node("n2", NodeStatus.GONE);

    assertThat(vA.requests()).containsExactly("withdraw", "CU vol-a i-2");
    assertThat(vA.uses().get(0).staging()).isEqualTo(Staging.NONE);
  }

  @Test
  @DisplayName(
      "an unmount that waits for a node is given up with the node, and its late answer is no news")
  void nodeLostDuringUnmount() {
    vA.claim(owner("a1", "n2"));
    vA.answerAll();
    vA.ends("a1");
    vA.lanes.open(vA.lanes.idOf("NU vol-a a1 @n2"));
    vA.drain();

    vA.node("n2", NodeStatus.GONE);
    Claim leaving = vA.row("a1");
    vA.answer("NU vol-a a1 @n2", new Settlement.Withdrawn(true));

    assertThat(vA.requests()).containsExactly("withdraw", "CU vol-a i-2");
    assertThat(vA.row("a1")).isEqualTo(leaving);
  }

  @Test
  @DisplayName("a claim waits where the plugin has no node instance, and goes on when it has one")
  void noNodeInstance() {
    vA.world.removeNodePlugin("ebs", "n2");
    vA.claim(owner("a1", "n2"));
    vA.ok("CP vol-a ? rw");
    List<String> table = vA.table();
    vA.drain();

    vA.world.nodePlugin("ebs", "n2", "i-2", false);
    vA.lookAtNode("n2");

    assertThat(table).containsExactly("a1 n2 write taken hold=node-plugin-missing");
    assertThat(vA.requests()).containsExactly("NP vol-a a1 @n2");
  }
}
