package dev.berth.streams.claims;

import static dev.berth.records.AccessMode.MULTI_NODE_SINGLE_WRITER;
import static dev.berth.records.ClientStatus.FAILED;
import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.reader;
import static dev.berth.streams.claims.Ask.sharer;
import static dev.berth.streams.claims.Ask.writer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.HoldCode;
import dev.berth.records.RpcCode;
import dev.berth.streams.work.Settlement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A call taken back")
class WithdrawTest {

  @Test
  @DisplayName("while its attach is queued leaves nothing, and the next claim is served")
  void queuedAttach() {
    Volumes vB = Volumes.f0("vB");
    vB.claim(owner("b1", "n2"));
    vB.claim(owner("b2", "n3"));
    vB.drain();

    vB.client("b1", FAILED);

    assertThat(vB.requests()).containsExactly("withdraw", "CP vol-b i-3 rw (slot)");
    assertThat(vB.replies()).containsExactly("b1 rejected alloc-terminal");
    assertThat(vB.table()).containsExactly("b2 n3 write taken");
  }

  @Test
  @DisplayName("while its attach is open waits for the answer, and a detach undoes it")
  void openAttach() {
    Volumes vA = Volumes.f0("vA");
    vA.claim(owner("a1", "n1"));
    vA.lanes.open(vA.lanes.idOf("CP vol-a i-1 rw"));
    vA.drain();

    vA.client("a1", FAILED);
    List<String> early = vA.requests();
    vA.ok("CP vol-a i-1 rw");

    assertThat(early).containsExactly("withdraw");
    assertThat(vA.requests()).containsExactly("CU vol-a i-1");
    assertThat(vA.table()).containsExactly("a1 n1 write node-detached");
  }

  @ParameterizedTest(name = "may have had its effect: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("that fails all the same rejects nobody who came after it was taken back")
  void failedAttachThatWasTakenBack(boolean mayHaveEffect) {
    Volumes vX = Volumes.f0("vX");
    vX.claim(sharer("a1", "n2"));
    String attach = vX.lanes.idOf("CP vol-x i-2 rw");
    vX.lanes.open(attach);
    vX.client("a1", FAILED);
    vX.claim(sharer("a2", "n2"));
    vX.drain();

    vX.answer("CP vol-x i-2 rw", AttachTest.failed(RpcCode.INVALID_ARGUMENT, mayHaveEffect));

    assertThat(vX.replies()).isEmpty();
    // What may exist keeps its slot.
    String again = mayHaveEffect ? "CP vol-x i-2 rw" : "CP vol-x i-2 rw (slot)";
    assertThat(vX.requests()).containsExactly(again);
    assertThat(vX.table()).contains("a2 n2 write taken");
  }

  @Test
  @DisplayName("after an attach whose answer got lost is undone by a detach")
  void uncertainAttach() {
    Volumes vA = Volumes.f0("vA");
    vA.claim(owner("a1", "n1"));
    vA.held("CP vol-a i-1 rw", HoldCode.TIMEOUT, RpcCode.DEADLINE_EXCEEDED, true, false);
    vA.drain();

    vA.ends("a1");

    assertThat(vA.requests()).containsExactly("withdraw", "CU vol-a i-1");
    assertThat(vA.table()).containsExactly("a1 n1 write node-detached");
  }

  @Test
  @DisplayName(
      "for a new claim on the node: the queued detach is pointless and the attachment stays")
  void queuedDetach() {
    Volumes vX = Volumes.f0("vX");
    vX.claim(sharer("a1", "n2"));
    vX.ok("CP vol-x i-2 rw", Map.of("dev", "d"));
    vX.ends("a1");
    vX.unmounted("a1");
    vX.drain();

    vX.claim(sharer("a2", "n2"));

    assertThat(vX.requests()).containsExactly("withdraw");
    assertThat(vX.replies()).containsExactly("a2 granted {dev=d}");
    assertThat(vX.table()).containsExactly("a2 n2 write taken");
    assertThat(vX.attachments()).containsExactly("i-2 attached");
  }

  @Test
  @DisplayName("for a new claim grants nothing before it is back")
  void notBeforeItIsBack() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n2"));
    vX.ends("a1");
    vX.unmounted("a1");
    vX.held("CU vol-x i-2", HoldCode.NO_CONTROLLER, null, false, false);
    String detach = vX.lanes.idOf("CU vol-x i-2");
    vX.lanes.open(detach);
    vX.drain();

    vX.claim(sharer("a2", "n2"));

    assertThat(vX.replies()).isEmpty();
    assertThat(vX.table())
        .containsExactly("a1 n2 write node-detached hold=no-controller", "a2 n2 write reserving");
  }

  @Test
  @DisplayName("after a detach that may have worked makes the new claim attach afresh")
  void uncertainDetach() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n2"));
    vX.ends("a1");
    vX.unmounted("a1");
    vX.held("CU vol-x i-2", HoldCode.TIMEOUT, RpcCode.DEADLINE_EXCEEDED, true, false);
    vX.drain();

    vX.claim(sharer("a2", "n2"));

    assertThat(vX.requests()).containsExactly("withdraw", "CP vol-x i-2 rw");
    assertThat(vX.replies()).isEmpty();
  }

  @Test
  @DisplayName("after an attach that was never confirmed makes the new claim attach afresh")
  void detachOfAnUncertainAttach() {
    Volumes vX = Volumes.f0("vX");
    vX.claim(sharer("a1", "n2"));
    vX.answer("CP vol-x i-2 rw", AttachTest.failed(RpcCode.INTERNAL, true));
    vX.drain();

    vX.claim(sharer("a2", "n2"));

    assertThat(vX.requests()).containsExactly("withdraw", "CP vol-x i-2 rw");
    assertThat(vX.replies()).isEmpty();
    assertThat(vX.attachments()).containsExactly("i-2 uncertain");
  }

  @Test
  @DisplayName("and made afresh carries the new claim's mode, and no second attach follows")
  void afreshInItsOwnMode() {
    Volumes vM = Volumes.f0("vM");
    vM.claim(writer("w1", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.answer("CP vol-m i-2 rw", AttachTest.failed(RpcCode.INTERNAL, true));
    vM.claim(reader("r2", "n2", MULTI_NODE_SINGLE_WRITER));
    List<String> asked = vM.requests();

    vM.ok("CP vol-m i-2 ro");

    assertThat(asked).endsWith("withdraw", "CP vol-m i-2 ro");
    assertThat(vM.requests()).isEmpty();
    assertThat(vM.replies()).endsWith("r2 granted");
  }

  @Test
  @DisplayName("and made for one claim alone keeps its row until it is back")
  void ownAttach() {
    Volumes vM = Volumes.f0("vM");
    vM.grant(reader("r1", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.claim(writer("w2", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.lanes.open(vM.lanes.idOf("CP vol-m i-2 rw"));
    vM.drain();

    vM.ends("w2");
    List<String> before = vM.table();
    vM.answer("CP vol-m i-2 rw", new Settlement.Withdrawn(true));

    assertThat(before).containsExactly("r1 n2 read taken", "w2 n2 write unpublishing");
    assertThat(vM.requests()).containsExactly("withdraw");
    assertThat(vM.table()).containsExactly("r1 n2 read taken");
  }

  @Test
  @DisplayName("and not given back shows why to the row that waits for it")
  void heldWhileWithdrawn() {
    Volumes vA = Volumes.f0("vA");
    vA.claim(owner("a1", "n1"));
    vA.lanes.open(vA.lanes.idOf("CP vol-a i-1 rw"));
    vA.ends("a1");
    vA.drain();

    vA.held("CP vol-a i-1 rw", HoldCode.NO_WORKER, null, false, false);

    assertThat(vA.table()).containsExactly("a1 n1 write node-detached hold=no-worker");
    assertThat(vA.attachments()).containsExactly("i-1 attaching");
    assertThat(vA.replies()).isEmpty();
  }
}
