package dev.berth.streams.claims;

import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.sharer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeStep;
import dev.berth.streams.claims.ClaimsEvent.UnmountFailed;
import dev.berth.streams.work.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Where clients unmount, a claim on its way out")
class ClientNodeStepTest {
  private final Volumes vA = Volumes.f0("vA");

  @Test
  @DisplayName("waits for its client, and its report starts the detach without node calls")
  void reported() {
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");
    List<String> early = vA.requests();

    vA.unmounted("a1");

    assertThat(early).isEmpty();
    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
    assertThat(vA.row("a1").nodeStep()).isEqualTo(NodeStep.CLIENT_UNMOUNTED);
  }

  @Test
  @DisplayName("ends by its client's report when that comes before the status")
  void reportedFirst() {
    vA.grant(owner("a1", "n2"));

    vA.unmounted("a1");
    vA.ends("a1");

    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
    assertThat(vA.table()).containsExactly("a1 n2 write node-detached");
  }

  @Test
  @DisplayName("has nothing to unmount when it was never granted")
  void neverGranted() {
    vA.claim(owner("a1", "n2"));
    vA.lanes.open(vA.lanes.idOf("CP vol-a i-2 rw"));

    vA.ends("a1");

    assertThat(vA.row("a1").nodeStep()).isEqualTo(NodeStep.NOT_MOUNTED);
    assertThat(vA.table()).containsExactly("a1 n2 write node-detached");
  }

  @Test
  @DisplayName("is not detached after a failed unmount, however long, until a later one works")
  void failedUnmount() {
    vA.world.policy("gc.threshold", "3h");
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");
    vA.say("a1", new UnmountFailed(null, "target is busy"));
    vA.pass(Duration.ofHours(2));
    List<String> early = vA.requests();
    Claim busy = vA.row("a1");

    vA.unmounted("a1");

    assertThat(early).isEmpty();
    assertThat(busy.nodeStep()).isEqualTo(NodeStep.FAILED);
    assertThat(busy.unmountError()).isEqualTo("target is busy");
    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
  }

  @Test
  @DisplayName("is unmounted by node workers at the first collection after the threshold")
  void collected() {
    vA.grant(owner("a1", "n2"));
    vA.pass(Duration.ofMinutes(1));
    vA.ends("a1");

    vA.pass(Duration.ofMinutes(9).minusMillis(1));
    List<String> early = vA.requests();
    vA.pass(Duration.ofMillis(1));
    List<String> atTheTick = vA.requests();
    vA.answerAll();

    assertThat(early).isEmpty();
    assertThat(atTheTick).containsExactly("NU vol-a a1 @n2");
    assertThat(vA.requests()).containsExactly("NT vol-a @n2", "CU vol-a i-2");
    assertThat(vA.table()).isEmpty();
  }

  @Test
  @DisplayName("is not collected earlier because collections are frequent")
  void threshold() {
    vA.world.policy("gc.interval", "1m");
    vA.world.policy("gc.threshold", "10m");
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");

    vA.pass(Duration.ofMinutes(10).minusMillis(1));
    List<String> early = vA.requests();
    vA.pass(Duration.ofMillis(1));

    assertThat(early).isEmpty();
    assertThat(vA.requests()).containsExactly("NU vol-a a1 @n2");
  }

  @Test
  @DisplayName("is collected at once when an operator asks for it")
  void collectNow() {
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");

    vA.look(true);

    assertThat(vA.requests()).containsExactly("NU vol-a a1 @n2");
  }

  @Test
  @DisplayName("is not collected from a node that is not ready, but when it is back")
  void notReady() {
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");
    vA.node("n2", NodeStatus.DISCONNECTED);

    vA.pass(Duration.ofMinutes(30));
    List<String> early = vA.requests();
    vA.node("n2", NodeStatus.READY);

    assertThat(early).isEmpty();
    assertThat(vA.requests()).containsExactly("NU vol-a a1 @n2");
  }

  @Test
  @DisplayName("shows that its node cannot be heard, until it can")
  void unreachable() {
    vA.grant(owner("a1", "n2"));
    vA.node("n2", NodeStatus.DISCONNECTED);
    vA.ends("a1");
    Hold cutOff = vA.row("a1").hold();
    vA.pass(Duration.ofHours(2));
    Hold later = vA.row("a1").hold();
    vA.node("n2", NodeStatus.READY);
    Hold back = vA.row("a1").hold();

    assertThat(cutOff)
        .isEqualTo(
            new Hold(
                HoldCode.NODE_UNREACHABLE,
                "node n2 is disconnected: the unmount waits until the node is back, down or gone",
                null,
                1,
                World.START,
                World.START,
                null,
                false));
    // As long as eight attempts that fail at once would last.
    assertThat(later).isEqualTo(cutOff.usedUp(8, World.START.plusSeconds(127)));
    assertThat(back).isNull();
    assertThat(vA.deadLetters()).containsExactly("a1 node-unreachable", "a1 resolved");
  }

  @Test
  @DisplayName("needs no unstaging of ours when its client reports after we began to unmount")
  void clientIsFaster() {
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");
    vA.look(true);
    vA.drain();

    vA.unmounted("a1");

    assertThat(vA.requests()).containsExactly("withdraw", "CU vol-a i-2");
    assertThat(vA.row("a1").nodeStep()).isEqualTo(NodeStep.CLIENT_UNMOUNTED);
  }

  @Test
  @DisplayName("keeps the staging for a live sibling")
  void siblingStaged() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n2"), sharer("a2", "n2"));
    vX.ends("a1");
    vX.look(true);
    vX.drain();

    vX.ok("NU vol-x a1 @n2");

    assertThat(vX.requests()).isEmpty();
    assertThat(vX.table()).containsExactly("a2 n2 write taken");
  }

  @Test
  @DisplayName("keeps a new claim on the node waiting while it is unstaged for it")
  void newClaimDuringUnstage() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n2"));
    vX.ends("a1");
    vX.look(true);
    vX.ok("NU vol-x a1 @n2");
    vX.lanes.open(vX.lanes.idOf("NT vol-x @n2"));
    vX.drain();

    vX.claim(sharer("a2", "n2"));
    List<String> early = vX.replies();
    vX.ok("NT vol-x @n2");

    assertThat(early).isEmpty();
    assertThat(vX.replies()).containsExactly("a2 granted");
  }

  @Test
  @DisplayName("is looked at again when a collection is due, by a wake-up that is written down")
  void wakeUp() {
    vA.grant(owner("a1", "n2"));
    Instant granted = vA.nextLook();

    vA.ends("a1");

    assertThat(granted).isNull();
    assertThat(vA.nextLook()).isEqualTo(World.START.plus(Duration.ofMinutes(5)));
    assertThat(vA.world.state.first(ClaimTables.DUE, ClaimTables.duePrefix(vA.nextLook())))
        .isNotNull();
  }
}
