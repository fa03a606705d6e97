package dev.berth.ops.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.CsiCall;
import dev.berth.streams.work.Call;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallRulesTest {
  private final SmallWorld world = new SmallWorld(true, true);
  private final Sim sim = Sim.begin(world.setup(), Deciders.real(), true);
  private final CallRules rules = sim.callRules();

  @Test
  void aSingleNodeVolumeIsNotAttachedElsewhereBeforeItsDetachIsAnswered() {
    rules.begins(call(CsiCall.CONTROLLER_PUBLISH, "vS", "n1"));
    rules.ended(call(CsiCall.CONTROLLER_PUBLISH, "vS", "n1"), Ending.ABORTED);
    rules.ended(call(CsiCall.CONTROLLER_UNPUBLISH, "vS", "n1"), Ending.LOST_DONE);
    rules.begins(call(CsiCall.CONTROLLER_PUBLISH, "vS", "n2"));

    assertThat(sim.broken())
        .containsExactly(
            "CP vol-vS ebs-n2 rw of a single-node volume before an answer that undoes"
                + " [Attached[volume=vol-vS, machine=ebs-n1, node=n1]]");
  }

  @Test
  void anAnsweredDetachOrAnAttachThatCannotBeUndoesAnAttach() {
    for (Ending answer : List.of(Ending.OK, Ending.NOT_FOUND, Ending.LATE)) {
      rules.begins(call(CsiCall.CONTROLLER_PUBLISH, "vS", "n1"));
      rules.ended(call(CsiCall.CONTROLLER_UNPUBLISH, "vS", "n1"), answer);
      rules.begins(call(CsiCall.CONTROLLER_PUBLISH, "vS", "n2"));
      rules.ended(call(CsiCall.CONTROLLER_PUBLISH, "vS", "n2"), Ending.UNIMPLEMENTED);
    }

    assertThat(sim.broken()).isEmpty();
    assertThat(rules.begun()).isEmpty();
  }

  @Test
  void anOperatorsWordUndoesAnAttach() {
    rules.begins(call(CsiCall.CONTROLLER_PUBLISH, "vS", "n1"));
    rules.detachedByHand("vS", "n1");
    rules.begins(call(CsiCall.CONTROLLER_PUBLISH, "vS", "n2"));

    assertThat(sim.broken()).isEmpty();
  }

  @Test
  void aVolumeOfSeveralNodesIsAttachedToSeveral() {
    rules.begins(call(CsiCall.CONTROLLER_PUBLISH, "vM", "n1"));
    rules.begins(call(CsiCall.CONTROLLER_PUBLISH, "vM", "n2"));

    assertThat(sim.broken()).isEmpty();
  }

  @Test
  void aGrantedClaimIsNotDetachedBeforeItsNodeStepIsRecorded() {
    sim.apply(world.alphabet().claims().get(0));
    sim.apply(new Step.Answer("CP vol-vS ebs-n1 rw", Ending.OK));
    sim.provider().unmount("vS", "s1");

    rules.begins(call(CsiCall.CONTROLLER_UNPUBLISH, "vS", "n1"));

    assertThat(sim.broken()).hasSize(1);
    assertThat(sim.broken().get(0))
        .startsWith("CU vol-vS ebs-n1 without a recorded reason under Claim[");
  }

  private static Call call(CsiCall rpc, String volume, String node) {
    return new Call(
        rpc,
        "default",
        volume,
        null,
        node,
        "vol-" + volume,
        "ebs-" + node,
        AccessMode.SINGLE_NODE_WRITER,
        AttachmentMode.FILE_SYSTEM,
        false,
        null,
        List.of(),
        Map.of(),
        Map.of(),
        Map.of());
  }
}
