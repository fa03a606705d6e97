package dev.berth.streams.claims;

import static dev.berth.records.AccessMode.MULTI_NODE_READER;
import static dev.berth.records.AccessMode.MULTI_NODE_SINGLE_WRITER;
import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.reader;
import static dev.berth.streams.claims.Ask.sharer;
import static dev.berth.streams.claims.Ask.writer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import dev.berth.records.RpcCode;
import dev.berth.records.VolumeState;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.command.Command;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.LaneRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A detach")
class DetachRuleTest {

  @Test
  @DisplayName("follows the last unmount on the node and frees every row there")
  void lastUnmount() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n2"), sharer("a2", "n2"));
    vX.ends("a1");
    vX.ends("a2");
    vX.unmounted("a1");
    List<String> early = vX.requests();

    vX.unmounted("a2");
    List<String> asked = vX.requests();
    vX.ok("CU vol-x i-2");

    assertThat(early).isEmpty();
    assertThat(asked).containsExactly("CU vol-x i-2");
    assertThat(vX.table()).isEmpty();
    assertThat(vX.attachments()).isEmpty();
  }

  @Test
  @DisplayName("is not made while a live claim uses the attachment, and only the other row goes")
  void liveSibling() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n2"), sharer("a2", "n2"));

    vX.ends("a1");
    vX.unmounted("a1");

    assertThat(vX.requests()).isEmpty();
    assertThat(vX.table()).containsExactly("a2 n2 write taken");
    assertThat(vX.attachments()).containsExactly("i-2 attached");
  }

  @Test
  @DisplayName("is not made while a dead claim may still be mounted, and both rows stay")
  void deadSiblingStillMounted() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n2"), sharer("a2", "n2"));
    vX.ends("a2");

    vX.ends("a1");
    vX.unmounted("a1");

    assertThat(vX.requests()).isEmpty();
    assertThat(vX.table()).containsExactly("a1 n2 write node-detached", "a2 n2 write unpublishing");
  }

  @Test
  @DisplayName("goes over to the claims of the machine's other name that needed no attach")
  void otherNameWithoutAttach() {
    Volumes vX = Volumes.f0("vX");
    vX.world.nodePlugin("ebs", "n3", "i-2", false);
    vX.grant(sharer("a1", "n2"));
    attaches(vX, false);
    vX.claim(sharer("a2", "n3"));
    attaches(vX, true);
    vX.drain();

    vX.unmounted("a1");
    List<String> early = vX.requests();
    List<String> left = vX.table();
    vX.unmounted("a2");

    assertThat(early).containsExactly("release slot vol-x n2");
    assertThat(left).containsExactly("a2 n3 write taken");
    assertThat(vX.requests()).containsExactly("CU vol-x i-2");
  }

  private static void attaches(Volumes volumes, boolean attaches) {
    volumes.world.controller("ebs", "n1", attaches);
    volumes.world.controller("ebs", "n2", attaches);
  }

  @Test
  @DisplayName("is not kept up by users on other nodes")
  void otherNode() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n2"), sharer("a2", "n3"));

    vX.ends("a1");
    vX.unmounted("a1");

    assertThat(vX.requests()).containsExactly("CU vol-x i-2");
    assertThat(vX.table()).containsExactly("a1 n2 write node-detached", "a2 n3 write taken");
  }

  @Test
  @DisplayName("uses what the claim was taken with, not today's records")
  void recordedTerms() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(owner("a1", "n2"));
    Volume volume = vA.volume().orElseThrow();
    vA.world.put(
        ClaimTables.VOLUMES,
        "default/vA",
        volume.registered(World.spec("vA", "ebs", "vol-a", MULTI_NODE_READER), volume.origin()));
    vA.world.nodePlugin("ebs", "n2", "i-new", true);

    vA.ends("a1");
    vA.unmounted("a1");

    Call call = ((LaneRequest.Enqueue) vA.laneRequests().get(0).body()).call();
    assertThat(call)
        .isEqualTo(Calls.forAttachment(draft(vA), vA.row("a1"), CsiCall.CONTROLLER_UNPUBLISH));
    assertThat(call.externalNode()).isEqualTo("i-2");
  }

  @Test
  @DisplayName("is skipped where no controller is needed")
  void noControllerNeeded() {
    Volumes vN = Volumes.f0("vN");
    vN.grant(sharer("a1", "n1"));

    vN.ends("a1");
    vN.unmounted("a1");

    assertThat(vN.requests()).isEmpty();
    assertThat(vN.table()).isEmpty();
    assertThat(vN.attachments()).isEmpty();
  }

  @Test
  @DisplayName(
      "is skipped when a live controller reports that it cannot attach, and gives the slot back")
  void cannotAttach() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(owner("a1", "n2"));
    vA.world.controller("ebs", "n1", false);
    vA.world.controller("ebs", "n2", false);

    vA.ends("a1");
    vA.unmounted("a1");

    assertThat(vA.requests()).containsExactly("release slot vol-a n2");
    assertThat(vA.table()).isEmpty();
  }

  @Test
  @DisplayName("is not skipped because nothing is known: no controller, no plugin record")
  void nothingKnown() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(owner("a1", "n2"));
    vA.world.removeController("ebs", "n1");
    vA.world.removeController("ebs", "n2");
    vA.world.forgetPlugin("ebs");

    vA.ends("a1");
    vA.unmounted("a1");
    vA.held("CU vol-a i-2", HoldCode.NO_SUCH_PLUGIN, null, false, false);

    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
    assertThat(vA.table()).containsExactly("a1 n2 write node-detached hold=no-such-plugin");
    assertThat(vA.attachments()).containsExactly("i-2 attached");
  }

  @Test
  @DisplayName(
      "needs a controller when the claim was taken with one, whatever the record says today")
  void stickyController() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(owner("a1", "n2"));
    vA.world.removeController("ebs", "n1");
    vA.world.removeController("ebs", "n2");
    vA.world.forgetPlugin("ebs");
    vA.world.nodePlugin("ebs", "n2", "i-2", true);

    vA.ends("a1");
    vA.unmounted("a1");

    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
  }

  @Test
  @DisplayName("from a node that is gone uses the provider's id in the claim")
  void goneNode() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(owner("a1", "n2"));
    vA.world.removeNodePlugin("ebs", "n2");

    vA.node("n2", NodeStatus.GONE);

    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
    assertThat(vA.table()).containsExactly("a1 n2 write node-detached");
  }

  @Test
  @DisplayName("from a node that is gone and whose provider id nobody knows is skipped")
  void goneAndUnknown() {
    Volumes vA = unknownNode();

    vA.node("n2", NodeStatus.GONE);

    assertThat(vA.requests()).containsExactly("withdraw", "release slot vol-a n2");
    assertThat(vA.table()).isEmpty();
    assertThat(vA.attachments()).isEmpty();
  }

  @Test
  @DisplayName("from an existing node whose provider id nobody knows waits")
  void existingAndUnknown() {
    Volumes vA = unknownNode();

    vA.look(true);

    assertThat(vA.requests()).isEmpty();
    assertThat(vA.table())
        .containsExactly("a1 n2 write node-detached hold=missing-external-node-id");
  }

  /** A row that lost the provider's node id, with a detach that waits for it. */
  private static Volumes unknownNode() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(owner("a1", "n2"));
    ClaimTerms known = vA.row("a1").taken();
    ClaimTerms unknown =
        new ClaimTerms(
            known.plugin(),
            known.externalVolume(),
            null,
            true,
            Map.of(),
            Map.of(),
            null,
            List.of());
    vA.world.put(ClaimTables.CLAIMS, "default/vA/a1", vA.row("a1").edit().terms(unknown).done());
    vA.world.removeNodePlugin("ebs", "n2");
    vA.ends("a1");
    vA.unmounted("a1");
    vA.held("CU vol-a ?", HoldCode.MISSING_EXTERNAL_NODE_ID, null, false, false);
    vA.drain();
    return vA;
  }

  @Test
  @DisplayName("whose answer got lost leaves the attachment uncertain until one is OK")
  void lostAnswer() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");
    vA.unmounted("a1");
    List<String> detaching = vA.attachments();

    vA.held("CU vol-a i-2", HoldCode.TIMEOUT, RpcCode.DEADLINE_EXCEEDED, true, false);

    assertThat(detaching).containsExactly("i-2 detaching");
    assertThat(vA.attachments()).containsExactly("i-2 uncertain");
    assertThat(vA.table()).containsExactly("a1 n2 write node-detached hold=timeout");
  }

  @Test
  @DisplayName(
      "that is open when the node is claimed again ends first, and the claim gets an attach of its own")
  void claimDuringOpenDetach() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n2"));
    vX.ends("a1");
    vX.unmounted("a1");
    vX.lanes.open(vX.lanes.idOf("CU vol-x i-2"));
    vX.claim(sharer("a2", "n2"));
    List<String> replies = vX.replies();
    vX.drain();

    vX.ok("CU vol-x i-2");

    assertThat(replies).isEmpty();
    assertThat(vX.requests()).containsExactly("CP vol-x i-2 rw (slot)");
    assertThat(vX.table()).containsExactly("a2 n2 write taken");
  }

  @Test
  @DisplayName("of a rejected second mode is left to the last user")
  void rejectedNextToDeadSibling() {
    Volumes vM = Volumes.f0("vM");
    vM.grant(reader("r1", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.claim(writer("w2", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.ends("r1");
    vM.answer("CP vol-m i-2 rw", AttachTest.failed(RpcCode.ALREADY_EXISTS, true));
    vM.drain();

    vM.unmounted("r1");

    assertThat(vM.requests()).containsExactly("CU vol-m i-2");
    assertThat(vM.table()).containsExactly("r1 n2 read node-detached", "w2 n2 write node-detached");
  }

  @Test
  @DisplayName(
      "owed by a volume that was removed by force is made from the rows, and the record goes with the last")
  void forcedRemoval() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");
    vA.command(new Command.DeregisterVolume("default", "vA", true));
    VolumeState state = vA.volume().orElseThrow().state();
    vA.unmounted("a1");
    vA.ok("CU vol-a i-2");

    assertThat(state).isEqualTo(VolumeState.DEREGISTERING);
    assertThat(vA.requests()).containsExactly("CU vol-a i-2", "release ebs vol-a");
    assertThat(vA.volume()).isEmpty();
  }

  private static VolumeDraft draft(Volumes volumes) {
    assertThat(volumes.world.state.get(ClusterTables.NODES, "n2")).isNotNull();
    return new VolumeDraft(
        volumes.world.state, volumes.key(), volumes.world.now(), volumes.world.policies());
  }
}
