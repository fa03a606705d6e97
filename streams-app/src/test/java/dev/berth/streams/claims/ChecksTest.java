package dev.berth.streams.claims;

import static dev.berth.records.AccessMode.MULTI_NODE_MULTI_WRITER;
import static dev.berth.records.AccessMode.MULTI_NODE_READER;
import static dev.berth.records.AccessMode.MULTI_NODE_SINGLE_WRITER;
import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.reader;
import static dev.berth.streams.claims.Ask.sharer;
import static dev.berth.streams.claims.Ask.writer;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A claim is checked in the order of the rules:")
class ChecksTest {

  @Test
  @DisplayName("first the volume must be registered, whatever else is wrong")
  void notFound() {
    Volumes nope = Volumes.f0("nope");
    nope.ends("a1");

    nope.claim(owner("a1", "n1"));

    assertThat(nope.replies()).containsExactly("a1 rejected not-found");
    assertThat(nope.table()).isEmpty();
    assertThat(nope.requests()).isEmpty();
  }

  @Test
  @DisplayName("then its alloc must not have ended")
  void allocTerminal() {
    Volumes vM = readByOne();
    vM.ends("a1");

    vM.claim(sharer("a1", "n2").asBlockDevice());

    assertThat(vM.replies()).containsExactly("a1 rejected alloc-terminal");
  }

  @Test
  @DisplayName("nor be one that its scheduler has dropped")
  void allocUnknown() {
    Volumes vM = readByOne();
    vM.gone("ghost");

    vM.claim(sharer("ghost", "n2").asBlockDevice());

    assertThat(vM.replies()).containsExactly("ghost rejected alloc-unknown");
  }

  @Test
  @DisplayName("then the attachment mode must be the present one")
  void attachmentMode() {
    Volumes vM = readByOne();

    vM.claim(sharer("c1", "n2").asBlockDevice());

    assertThat(vM.replies()).containsExactly("c1 rejected mode");
  }

  @Test
  @DisplayName("then both modes together must be a capability of the volume")
  void capability() {
    Volumes vM = readByOne();

    vM.claim(sharer("c2", "n2"));

    assertThat(vM.replies()).containsExactly("c2 rejected capability");
  }

  @Test
  @DisplayName("then the volume in use must take such a claim at all")
  void presentMode() {
    Volumes vM = readByOne();

    vM.claim(writer("c3", "n2", MULTI_NODE_SINGLE_WRITER));

    assertThat(vM.replies()).containsExactly("c3 rejected mode");
  }

  @Test
  @DisplayName("then the plugin must have a healthy controller, also for a claim that would wait")
  void noController() {
    Volumes vB = Volumes.f0("vB");
    vB.grant(owner("b1", "n1"));
    vB.world.sickController("ebs", "n1");
    vB.world.sickController("ebs", "n2");

    vB.claim(owner("c4", "n2"));

    assertThat(vB.replies()).containsExactly("c4 rejected unschedulable");
    assertThat(vB.table()).containsExactly("b1 n1 write taken");
  }

  @Test
  @DisplayName("and a healthy node instance somewhere")
  void noNodeInstance() {
    Volumes vA = Volumes.f0("vA");
    vA.world.sickNodePlugin("ebs", "n1");
    vA.world.sickNodePlugin("ebs", "n2");
    vA.world.removeNodePlugin("ebs", "n3");

    vA.claim(owner("a1", "n1"));

    assertThat(vA.replies()).containsExactly("a1 rejected unschedulable");
    assertThat(vA.table()).isEmpty();
  }

  @Test
  @DisplayName("but no controller where none is required")
  void controllerNotRequired() {
    Volumes vN = Volumes.f0("vN");

    vN.claim(sharer("a1", "n1"));

    assertThat(vN.replies()).containsExactly("a1 granted");
    assertThat(vN.requests()).isEmpty();
    assertThat(vN.table()).containsExactly("a1 n1 write taken");
  }

  @Test
  @DisplayName("last comes capacity, which waits and says who holds the volume")
  void capacity() {
    Volumes vB = Volumes.f0("vB");
    vB.grant(owner("b1", "n1"));

    vB.claim(owner("b2", "n2"));

    assertThat(vB.replies()).containsExactly("b2 waiting held-by=b1");
    assertThat(vB.table()).containsExactly("b1 n1 write taken", "b2 n2 write waiting");
  }

  @Test
  @DisplayName("a rejected claim sets no mode")
  void setsNoMode() {
    Volumes vB = Volumes.f0("vB");

    vB.claim(writer("a1", "n1", MULTI_NODE_MULTI_WRITER));
    vB.claim(owner("a2", "n2"));

    assertThat(vB.replies()).containsExactly("a1 rejected capability");
    assertThat(vB.requests()).containsExactly("CP vol-b i-2 rw (slot)");
  }

  @Test
  @DisplayName("a claim that waits is not rejected for a plugin that is unwell before its turn")
  void waitsThroughAnOutage() {
    Volumes vB = Volumes.f0("vB");
    vB.grant(owner("b1", "n1"));
    vB.claim(owner("b2", "n2"));
    vB.world.sickController("ebs", "n1");
    vB.world.sickController("ebs", "n2");
    vB.drain();

    vB.look(false);

    assertThat(vB.replies()).isEmpty();
    assertThat(vB.table()).containsExactly("b1 n1 write taken", "b2 n2 write waiting");
  }

  private static Volumes readByOne() {
    Volumes vM = Volumes.f0("vM");
    vM.grant(reader("r1", "n1", MULTI_NODE_READER));
    vM.world.sickController("ebs", "n1");
    vM.world.sickController("ebs", "n2");
    return vM;
  }
}
