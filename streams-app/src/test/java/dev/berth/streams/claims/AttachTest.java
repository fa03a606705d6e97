package dev.berth.streams.claims;

import static dev.berth.records.AccessMode.MULTI_NODE_READER;
import static dev.berth.records.AccessMode.MULTI_NODE_SINGLE_WRITER;
import static dev.berth.records.AccessMode.SINGLE_NODE_WRITER;
import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.reader;
import static dev.berth.streams.claims.Ask.sharer;
import static dev.berth.streams.claims.Ask.writer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AttachmentMode;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.RejectCode;
import dev.berth.records.RpcCode;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An attach")
class AttachTest {

  @Test
  @DisplayName("is asked for in the same decision as the row, with all that the call needs")
  void requested() {
    Volumes vA = Volumes.f0("vA");
    vA.lanes.silent();

    vA.claim(owner("a1", "n2"));

    assertThat(vA.laneRequests())
        .containsExactly(
            new LaneRequest(
                "default/vA#1",
                "ebs",
                "default/vA",
                World.START,
                new LaneRequest.Enqueue(
                    new Call(
                        CsiCall.CONTROLLER_PUBLISH,
                        "default",
                        "vA",
                        null,
                        "n2",
                        "vol-a",
                        "i-2",
                        SINGLE_NODE_WRITER,
                        AttachmentMode.FILE_SYSTEM,
                        false,
                        "ext4",
                        List.of("noatime"),
                        Map.of("tier", "gold"),
                        Map.of(),
                        Map.of("token", "${kv:vA}")),
                    true,
                    false,
                    null,
                    "nomad")));
    assertThat(vA.attachments()).containsExactly("i-2 attaching");
  }

  @Test
  @DisplayName("shows its claim as taken once the lanes have promised a slot")
  void takenWithTheSlot() {
    Volumes vA = Volumes.f0("vA");
    vA.lanes.silent();
    vA.claim(owner("a1", "n2"));
    List<String> before = vA.table();

    vA.answer("CP vol-a i-2 rw", new Settlement.Accepted());

    assertThat(before).containsExactly("a1 n2 write reserving");
    assertThat(vA.table()).containsExactly("a1 n2 write taken");
    assertThat(vA.replies()).isEmpty();
  }

  @Test
  @DisplayName("that is answered OK grants its claims with its publish context")
  void granted() {
    Volumes vX = Volumes.f0("vX");
    vX.claim(sharer("a1", "n2"));
    vX.claim(sharer("a2", "n2"));

    vX.ok("CP vol-x i-2 rw", Map.of("dev", "/dev/xvdf"));

    assertThat(vX.requests()).containsExactly("CP vol-x i-2 rw (slot)");
    assertThat(vX.replies())
        .containsExactly("a1 granted {dev=/dev/xvdf}", "a2 granted {dev=/dev/xvdf}");
    assertThat(vX.attachments()).containsExactly("i-2 attached");
  }

  @Test
  @DisplayName("without a free slot rejects its claim, which never shows as taken")
  void slotsRefused() {
    Volumes vA = Volumes.f0("vA");
    vA.lanes.full();

    vA.claim(owner("a1", "n2"));

    assertThat(vA.replies()).containsExactly("a1 rejected slots");
    assertThat(vA.happenings())
        .containsExactly("rejected a1", "unpublishing a1", "node-detached a1", "released a1");
    assertThat(vA.table()).isEmpty();
    assertThat(vA.attachments()).isEmpty();
    assertThat(vA.volume().orElseThrow().access()).isNull();
  }

  @Test
  @DisplayName("takes one slot for all claims of the volume on the node")
  void oneSlot() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n1"));
    vX.lanes.full();

    vX.claim(sharer("a3", "n1"));

    assertThat(vX.replies()).containsExactly("a3 granted");
    assertThat(vX.requests()).isEmpty();
  }

  @Test
  @DisplayName("that may have had its effect is uncertain, and its claim goes on waiting")
  void uncertain() {
    Volumes vA = Volumes.f0("vA");
    vA.claim(owner("a1", "n2"));

    vA.held("CP vol-a i-2 rw", HoldCode.TIMEOUT, RpcCode.DEADLINE_EXCEEDED, true, false);

    assertThat(vA.replies()).containsExactly("a1 waiting hold=timeout");
    assertThat(vA.table()).containsExactly("a1 n2 write taken hold=timeout");
    assertThat(vA.attachments()).containsExactly("i-2 uncertain");
  }

  @Test
  @DisplayName("held for the same reason again is not told again")
  void heldAgain() {
    Volumes vA = Volumes.f0("vA");
    vA.claim(owner("a1", "n2"));
    vA.held("CP vol-a i-2 rw", HoldCode.CONTROLLER_ERROR, RpcCode.ABORTED, false, false);
    vA.drain();

    vA.held("CP vol-a i-2 rw", HoldCode.CONTROLLER_ERROR, RpcCode.ABORTED, false, false);

    assertThat(vA.replies()).isEmpty();
  }

  @Test
  @DisplayName("that failed for good is undone by a detach before the row goes")
  void failedWithEffect() {
    Volumes vA = Volumes.f0("vA");
    vA.claim(owner("a1", "n2"));
    vA.claim(owner("a2", "n3"));
    vA.drain();

    vA.answer("CP vol-a i-2 rw", failed(RpcCode.INTERNAL, true));

    assertThat(vA.replies()).containsExactly("a1 rejected plugin-error");
    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
    assertThat(vA.table()).containsExactly("a1 n2 write node-detached", "a2 n3 write waiting");
    assertThat(vA.attachments()).containsExactly("i-2 uncertain");
  }

  @Test
  @DisplayName("that cannot have had an effect leaves nothing to undo")
  void failedWithoutEffect() {
    Volumes vA = Volumes.f0("vA");
    vA.claim(owner("a1", "n2"));
    vA.claim(owner("a2", "n3"));
    vA.drain();

    vA.answer("CP vol-a i-2 rw", failed(RpcCode.UNIMPLEMENTED, false));

    assertThat(vA.replies()).containsExactly("a1 rejected plugin-error");
    assertThat(vA.requests()).containsExactly("CP vol-a i-3 rw (slot)");
    assertThat(vA.table()).containsExactly("a2 n3 write taken");
  }

  @Test
  @DisplayName(
      "rejected without an effect is undone all the same where an earlier attempt may have had one")
  void earlierAttemptMayHaveEffect() {
    Volumes vA = Volumes.f0("vA");
    vA.claim(owner("a1", "n2"));
    vA.held("CP vol-a i-2 rw", HoldCode.TIMEOUT, RpcCode.DEADLINE_EXCEEDED, true, false);
    vA.drain();

    vA.answer("CP vol-a i-2 rw", failed(RpcCode.UNIMPLEMENTED, false));

    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
  }

  @Test
  @DisplayName("in another mode than the published one is made for its claim alone")
  void ownAttach() {
    Volumes vM = Volumes.f0("vM");
    vM.grant(reader("r1", "n2", MULTI_NODE_SINGLE_WRITER));

    vM.claim(writer("w2", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.ok("CP vol-m i-2 rw", Map.of("dev", "rw"));

    assertThat(vM.requests()).containsExactly("CP vol-m i-2 rw");
    assertThat(vM.replies()).containsExactly("w2 granted {dev=rw}");
    assertThat(vM.attachments()).containsExactly("i-2 attached");
  }

  @Test
  @DisplayName(
      "for one claim alone that is answered without a context has none, not the shared one")
  void ownAttachWithoutContext() {
    Volumes vM = Volumes.f0("vM");
    vM.claim(writer("w1", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.ok("CP vol-m i-2 rw", Map.of("dev", "rw"));
    vM.drain();

    vM.claim(reader("r2", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.ok("CP vol-m i-2 ro", Map.of());
    List<String> told = vM.replies();
    vM.claim(reader("r2", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.claim(writer("w1", "n2", MULTI_NODE_SINGLE_WRITER));

    assertThat(told).containsExactly("r2 granted");
    assertThat(vM.replies()).containsExactly("r2 granted", "w1 granted {dev=rw}");
  }

  @Test
  @DisplayName("for one claim alone that is rejected leaves the attachment and its user alone")
  void ownAttachRejected() {
    Volumes vM = Volumes.f0("vM");
    vM.grant(reader("r1", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.claim(writer("w2", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.drain();

    vM.answer("CP vol-m i-2 rw", failed(RpcCode.INVALID_ARGUMENT, true));

    assertThat(vM.replies()).containsExactly("w2 rejected plugin-error");
    assertThat(vM.requests()).isEmpty();
    assertThat(vM.table()).containsExactly("r1 n2 read taken");
    assertThat(vM.attachments()).containsExactly("i-2 attached");
  }

  @Test
  @DisplayName(
      "carries the read-only flag only where the plugin takes it, and then it is no other mode")
  void readOnlyFlag() {
    Volumes vM = Volumes.f0("vM");
    vM.world.plainController("ebs", "n1");
    vM.world.plainController("ebs", "n2");

    vM.claim(reader("r1", "n1", MULTI_NODE_READER));
    // The lanes leave the flag out for such a controller, and say so.
    vM.answer("CP vol-m i-1 ro", new Settlement.Done(RpcCode.OK, false, Map.of()));
    vM.drain();
    vM.claim(reader("r2", "n1", MULTI_NODE_READER));
    vM.claim(reader("r3", "n2", MULTI_NODE_READER));

    assertThat(vM.requests()).containsExactly("CP vol-m i-2 ro (slot)");
    assertThat(vM.replies()).containsExactly("r2 granted");
  }

  @Test
  @DisplayName("is not made where a live controller has none to offer")
  void controllerCannotAttach() {
    Volumes vA = Volumes.f0("vA");
    vA.world.controller("ebs", "n1", false);
    vA.world.controller("ebs", "n2", false);

    vA.claim(owner("a1", "n2"));

    assertThat(vA.replies()).containsExactly("a1 granted");
    assertThat(vA.requests()).isEmpty();
  }

  @Test
  @DisplayName(
      "is made for a claim that finds the volume in use there from before the plugin could attach")
  void attachAppearsWhileInUse() {
    Volumes vN = Volumes.f0("vN");
    vN.grant(sharer("a1", "n1"));
    vN.world.controller("nfs", "n3", true);

    vN.claim(sharer("a2", "n1"));
    List<String> asked = vN.requests();
    vN.ok("CP exp-n f-1 rw", Map.of("export", "x"));
    List<String> replies = vN.replies();
    vN.ends("a2");
    vN.unmounted("a2");
    vN.ends("a1");
    vN.unmounted("a1");

    assertThat(asked).containsExactly("CP exp-n f-1 rw (slot)");
    assertThat(replies).containsExactly("a2 granted {export=x}");
    assertThat(vN.requests()).containsExactly("CU exp-n f-1");
  }

  @Test
  @DisplayName(
      "to a node whose provider id is not known yet carries none, and learns it from the lanes")
  void learnsTheNodeId() {
    Volumes vA = Volumes.f0("vA");
    vA.world.nodePlugin("ebs", "n2", null, true);
    vA.claim(owner("a1", "n2"));
    List<String> asked = vA.requests();

    vA.decide(
        new ClaimsEvent.Settled(
            vA.key(),
            vA.lanes.answer(
                vA.lanes.idOf("CP vol-a ? rw"),
                new Settlement.Done(RpcCode.OK, false, Map.of()),
                "i-2",
                World.START)));

    assertThat(asked).containsExactly("CP vol-a ? rw (slot)");
    assertThat(vA.row("a1").taken().externalNode()).isEqualTo("i-2");
    assertThat(vA.attachments()).containsExactly("i-2 attached");
  }

  @Test
  @DisplayName("answered after its row has forgotten it changes nothing")
  void lateAnswer() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(owner("a1", "n2"));
    Claim before = vA.row("a1");

    vA.decide(
        new ClaimsEvent.Settled(
            vA.key(),
            new Settlement(
                "default/vA#1",
                "default/vA",
                "ebs",
                "i-9",
                World.START,
                failed(RpcCode.INTERNAL, true))));

    assertThat(vA.row("a1")).isEqualTo(before);
    assertThat(vA.attachments()).containsExactly("i-2 attached");
  }

  static Settlement.Body failed(RpcCode code, boolean mayHaveEffect) {
    return new Settlement.Failed(code, "no", RejectCode.PLUGIN_ERROR, mayHaveEffect);
  }
}
