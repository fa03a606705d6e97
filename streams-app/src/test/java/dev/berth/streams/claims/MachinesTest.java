package dev.berth.streams.claims;

import static dev.berth.records.NodeStatus.GONE;
import static dev.berth.records.NodeStatus.READY;
import static dev.berth.streams.claims.Ask.sharer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.streams.work.Settlement;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node made anew under its name")
class MachinesTest {
  private final Volumes vX = Volumes.f0("vX");

  @Test
  @DisplayName("gets an attach of its own, after the old machine's detach with the old id")
  void attachOfItsOwn() {
    vX.grant(sharer("a1", "n2"));
    vX.node("n2", GONE);
    vX.world.nodePlugin("ebs", "n2", "i-new", true);
    vX.node("n2", READY);
    vX.claim(sharer("a2", "n2"));
    List<String> asked = vX.requests();
    List<String> replies = vX.replies();
    List<String> table = vX.table();

    vX.ok("CU vol-x i-2");

    assertThat(asked).containsExactly("CU vol-x i-2");
    assertThat(replies).containsExactly("a2 waiting hold=node-not-clean");
    assertThat(table)
        .containsExactly("a1 n2 write node-detached", "a2 n2 write reserving hold=node-not-clean");
    assertThat(vX.requests()).containsExactly("CP vol-x i-new rw (slot)");
    assertThat(vX.table()).containsExactly("a2 n2 write taken");
  }

  @Test
  @DisplayName("does not share the old machine's attachment while its id is not known")
  void unknownId() {
    vX.grant(sharer("a1", "n2"));
    vX.world.removeNodePlugin("ebs", "n2");

    vX.claim(sharer("a2", "n2"));
    List<String> replies = vX.replies();
    vX.world.nodePlugin("ebs", "n2", "i-2", true);
    vX.lookAtNode("n2");

    assertThat(replies).containsExactly("a2 waiting hold=missing-external-node-id");
    assertThat(vX.replies()).containsExactly("a2 granted");
    assertThat(vX.requests()).isEmpty();
  }

  @Test
  @DisplayName("owes no detach for a claim that ends before its attach")
  void endsEarly() {
    vX.grant(sharer("a1", "n2"));
    vX.node("n2", GONE);
    vX.world.nodePlugin("ebs", "n2", "i-new", true);
    vX.node("n2", READY);
    vX.claim(sharer("a2", "n2"));
    vX.drain();

    vX.ends("a2");

    assertThat(vX.requests()).isEmpty();
    assertThat(vX.table()).containsExactly("a1 n2 write node-detached");
  }

  @Test
  @DisplayName("is learnt from a detach that was given back, where only the attachment knew one")
  void givenBack() {
    Volumes vN = Volumes.f0("vN");
    vN.world.controller("nfs", "n3", false);
    vN.grant(sharer("a1", "n1"));
    vN.world.nodePlugin("nfs", "n1", null, false);
    vN.grant(sharer("a2", "n1"));
    vN.ends("a1");
    vN.world.controller("nfs", "n3", true);
    vN.unmounted("a1");
    vN.unmounted("a2");
    List<String> first = vN.requests();

    vN.answerFrom("f-1", "CU exp-n ?", new Settlement.Withdrawn(false));

    assertThat(first).containsExactly("CU exp-n ?");
    assertThat(vN.requests()).containsExactly("CU exp-n f-1");
  }
}
