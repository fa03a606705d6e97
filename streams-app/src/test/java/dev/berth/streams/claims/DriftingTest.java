package dev.berth.streams.claims;

import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.sharer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import dev.berth.records.RpcCode;
import dev.berth.streams.command.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a plugin lists")
class DriftingTest {
  private final Volumes vA = Volumes.f0("vA");

  /** A time after everything that has happened so far. */
  private Instant later() {
    vA.world.pass(Duration.ofMinutes(1));
    return vA.world.now();
  }

  @Test
  @DisplayName("has an attachment of a live claim made again when it is gone")
  void attachedAgain() {
    vA.grant(owner("a1", "n1"));

    vA.listed(later());
    List<String> asked = vA.requests();
    List<String> found = vA.findings();
    vA.ok("CP vol-a i-1 rw", Map.of("device", "xvdb"));

    assertThat(asked).containsExactly("CP vol-a i-1 rw");
    assertThat(found).containsExactly("MISSING i-1");
    assertThat(vA.uses())
        .extracting(use -> use.state().name(), Attachment::publishContext)
        .containsExactly(tuple("ATTACHED", Map.of("device", "xvdb")));
    assertThat(vA.table()).containsExactly("a1 n1 write taken");
  }

  @Test
  @DisplayName("holds the live claim while the attach that is made again is refused")
  void attachAgainHeld() {
    vA.grant(owner("a1", "n1"));
    vA.listed(later());
    vA.drain();

    vA.held("CP vol-a i-1 rw", HoldCode.UNIMPLEMENTED, RpcCode.UNIMPLEMENTED, false, true);
    List<String> held = vA.table();
    List<String> replies = vA.replies();
    vA.ok("CP vol-a i-1 rw");

    assertThat(held).containsExactly("a1 n1 write taken stuck=unimplemented");
    assertThat(replies).isEmpty();
    assertThat(vA.deadLetters())
        .containsExactly("a1 unimplemented at controller-publish", "a1 resolved");
    assertThat(vA.table()).containsExactly("a1 n1 write taken");
  }

  @Test
  @DisplayName("leaves the detach owed when the attach that is made again is taken back")
  void attachAgainTakenBack() {
    vA.grant(owner("a1", "n1"));
    vA.listed(later());
    vA.held("CP vol-a i-1 rw", HoldCode.NO_CONTROLLER, null, false, false);
    vA.drain();

    vA.ends("a1");
    vA.unmounted("a1");

    assertThat(vA.requests()).containsExactly("withdraw", "CU vol-a i-1");
  }

  @Test
  @DisplayName("makes the attachment that comes in its place another one, of which its claims hear")
  void anotherAttachment() {
    vA.grant(owner("a1", "n1"));
    long before = vA.uses().get(0).generation();

    vA.listed(later());
    vA.ok("CP vol-a i-1 rw", Map.of("device", "xvdb"));

    long after = vA.uses().get(0).generation();
    assertThat(after).isGreaterThan(before);
    assertThat(vA.row("a1").attachmentGeneration()).isEqualTo(after);
    assertThat(vA.replies()).containsExactly("a1 granted {device=xvdb}");
  }

  @Test
  @DisplayName("starts nothing when it began before the attach was done")
  void beforeTheAttach() {
    Instant before = later();
    vA.grant(owner("a1", "n1"));

    vA.listed(before);

    assertThat(vA.requests()).isEmpty();
    assertThat(vA.findings()).isEmpty();
  }

  @Test
  @DisplayName("starts nothing while it shows the attachment")
  void asItShouldBe() {
    vA.grant(owner("a1", "n1"));

    vA.listed(later(), "i-1");

    assertThat(vA.requests()).isEmpty();
    assertThat(vA.findings()).isEmpty();
  }

  @Test
  @DisplayName("waits for a lost node before it attaches there again")
  void lostNode() {
    vA.grant(owner("a1", "n1"));
    vA.node("n1", NodeStatus.DISCONNECTED);

    vA.listed(later());
    List<String> whileLost = vA.requests();
    vA.node("n1", NodeStatus.READY);

    assertThat(whileLost).isEmpty();
    assertThat(vA.requests()).containsExactly("CP vol-a i-1 rw");
  }

  @Test
  @DisplayName("tells nothing any more after a call for the volume has ended")
  void outdated() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n1"));
    vX.node("n1", NodeStatus.DISCONNECTED);
    vX.world.pass(Duration.ofMinutes(1));
    vX.listed(vX.world.now());
    vX.grant(sharer("a2", "n2"));

    vX.node("n1", NodeStatus.READY);

    assertThat(vX.requests()).isEmpty();
  }

  @Test
  @DisplayName("has a detach that waits tried at once")
  void detachIsTried() {
    vA.grant(owner("a1", "n1"));
    vA.ends("a1");
    vA.unmounted("a1");
    vA.held("CU vol-a i-1", HoldCode.CONTROLLER_ERROR, RpcCode.INTERNAL, true, false);
    vA.drain();

    vA.listed(later(), "i-1");

    assertThat(vA.requests()).containsExactly("wake");
    assertThat(vA.table()).containsExactly("a1 n1 write node-detached hold=controller-error");
  }

  @Test
  @DisplayName("is reported once and left alone where no claim asked for it")
  void foreign() {
    vA.listed(later(), "i-9");
    List<String> first = vA.findings();
    vA.listed(later(), "i-9");
    List<String> second = vA.findings();
    vA.listed(later());
    vA.listed(later(), "i-9");

    assertThat(first).containsExactly("DANGLING i-9");
    assertThat(second).isEmpty();
    assertThat(vA.findings()).containsExactly("DANGLING i-9");
    assertThat(vA.requests()).isEmpty();
  }

  @Test
  @DisplayName("has the detach that an operator asked for reported while it fails, and tried again")
  void foreignDetachFails() {
    vA.listed(later(), "i-9");
    vA.command(new Command.DetachVolume("default", "vA", "i-9"));
    vA.held("CU vol-a i-9", HoldCode.CONTROLLER_ERROR, RpcCode.INTERNAL, true, true);
    vA.requests();

    vA.command(new Command.RetryVolume("default", "vA", null));
    List<String> asked = vA.requests();
    vA.held("CU vol-a i-9", HoldCode.CONTROLLER_ERROR, RpcCode.INTERNAL, true, true);
    vA.ok("CU vol-a i-9");

    assertThat(asked).containsExactly("retry");
    assertThat(vA.deadLetters())
        .containsExactly(
            "@i-9 controller-error at controller-unpublish",
            "@i-9 controller-error at controller-unpublish",
            "@i-9 resolved");
  }

  @Test
  @DisplayName("explains the attach that a foreign attachment stands in the way of")
  void foreignHolds() {
    vA.listed(later(), "i-9");
    vA.claim(owner("a1", "n1"));
    vA.drain();

    vA.held(
        "CP vol-a i-1 rw", HoldCode.CONTROLLER_ERROR, RpcCode.FAILED_PRECONDITION, false, false);
    List<String> held = vA.replies();
    vA.drain();
    vA.command(new Command.DetachVolume("default", "vA", "i-9"));
    List<String> asked = vA.requests();
    vA.ok("CU vol-a i-9");

    assertThat(held).containsExactly("a1 waiting hold=foreign-attachment");
    assertThat(asked).containsExactly("CU vol-a i-9");
    assertThat(vA.requests()).containsExactly("wake");
    assertThat(vA.answers()).containsExactly("ok");
  }

  @Test
  @DisplayName(
      "is no longer foreign once a claim is attached there, by whatever name it is asked for")
  void adopted() {
    vA.listed(later(), "i-1");
    vA.grant(owner("a1", "n1"));
    vA.drain();

    vA.command(new Command.DetachVolume("default", "vA", "i-1"));

    assertThat(vA.answers()).containsExactly("not-found");
    assertThat(vA.requests()).isEmpty();
  }

  @Test
  @DisplayName(
      "is not detached under a claim that comes meanwhile: the attach waits for the detach")
  void claimedMeanwhile() {
    vA.listed(later(), "i-1");
    vA.command(new Command.DetachVolume("default", "vA", "i-1"));
    vA.lanes.open(vA.lanes.idOf("CU vol-a i-1"));
    vA.drain();

    vA.claim(owner("a1", "n1"));
    List<String> early = vA.requests();
    vA.ok("CU vol-a i-1");

    assertThat(early).containsOnly("withdraw");
    assertThat(vA.requests()).containsExactly("CP vol-a i-1 rw (slot)");
  }

  @Test
  @DisplayName("is detached once, however often an operator asks, and not after it is done")
  void detachedOnce() {
    vA.world.nodePlugin("ebs", "n3", "i-9", true);
    vA.listed(later(), "i-9");
    vA.drain();

    vA.command(new Command.DetachVolume("default", "vA", "n3"));
    vA.command(new Command.DetachVolume("default", "vA", "n3"));
    List<String> asked = vA.requests();
    vA.ok("CU vol-a i-9");
    vA.command(new Command.DetachVolume("default", "vA", "n3"));

    assertThat(asked).containsExactly("CU vol-a i-9");
    assertThat(vA.answers()).containsExactly("ok", "ok", "not-found");
    assertThat(vA.requests()).isEmpty();
  }
}
