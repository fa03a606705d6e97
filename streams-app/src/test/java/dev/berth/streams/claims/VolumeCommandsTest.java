package dev.berth.streams.claims;

import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.sharer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.ClientStatus;
import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import dev.berth.records.RpcCode;
import dev.berth.streams.command.Answer;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.Refusal;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An operator's")
class VolumeCommandsTest {
  private static final Command.Body DETACH = new Command.DetachVolume("default", "vA", "n2");
  private static final Command.Body RETRY = new Command.RetryVolume("default", "vA", null);
  private static final Command.Body ASSUME = new Command.AssumeDetached("default", "vA", "n2");
  private static final Command.Body UNBLOCK = new Command.UnblockVolume("default", "vA");

  private final Volumes vA = Volumes.f0("vA");

  @Test
  @DisplayName("command is answered with who asked, why, and why not")
  void answered() {
    vA.decide(
        new ClaimsEvent.Commanded(
            vA.key(), new Command("c7", "op", "clean up", World.START, DETACH)));

    assertThat(vA.happenings()).containsExactly("command");
    vA.command(DETACH);
    assertThat(vA.answers()).containsExactly("not-found", "not-found");
    assertThat(answerTo(new Command("c7", "op", "clean up", World.START, DETACH)))
        .isEqualTo(
            new Answer(
                "c7",
                "op",
                "clean up",
                "DetachVolume",
                "default/vA",
                Refusal.NOT_FOUND,
                "no claim of default/vA is on node n2",
                World.START));
  }

  private Answer answerTo(Command command) {
    return ClaimsDecider.decide(
            vA.world.state,
            new ClaimsEvent.Commanded(vA.key(), command),
            World.START,
            vA.world.policies())
        .effects()
        .stream()
        .filter(ClaimsEffect.Answered.class::isInstance)
        .map(effect -> ((ClaimsEffect.Answered) effect).answer())
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("detach never takes the disk from a live alloc, told to stop or unheard of")
  void detachLive() {
    vA.grant(owner("a1", "n2"));
    vA.client("a1", ClientStatus.UNKNOWN);

    vA.command(DETACH);

    assertThat(vA.answers()).containsExactly("in-use");
    assertThat(vA.table()).containsExactly("a1 n2 write taken");
    assertThat(vA.requests()).isEmpty();
  }

  @Test
  @DisplayName("detach of a claim on its way out is fine and does nothing twice")
  void detachLeaving() {
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");
    vA.unmounted("a1");
    vA.drain();

    vA.command(DETACH);

    assertThat(vA.answers()).containsExactly("ok");
    assertThat(vA.requests()).isEmpty();
  }

  @Test
  @DisplayName("detach from a deleted node is carried out with the ids in the claim")
  void detachFromGoneNode() {
    vA.grant(owner("a1", "n2"));
    vA.node("n2", NodeStatus.GONE);

    vA.command(DETACH);

    assertThat(vA.answers()).containsExactly("ok");
    assertThat(vA.requests()).containsExactly("CU vol-a i-2");
  }

  @Test
  @DisplayName("retry tries what is held at once with a new budget, each call once")
  void retry() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n2"), sharer("a2", "n2"));
    vX.ends("a1");
    vX.ends("a2");
    vX.unmounted("a1");
    vX.unmounted("a2");
    vX.held("CU vol-x i-2", HoldCode.TIMEOUT, RpcCode.DEADLINE_EXCEEDED, true, true);
    vX.drain();

    vX.command(new Command.RetryVolume("default", "vX", null));

    assertThat(vX.answers()).containsExactly("ok");
    assertThat(vX.requests()).containsExactly("retry");
  }

  @Test
  @DisplayName("retry of what is not held changes nothing and says so")
  void retryNothing() {
    vA.grant(owner("a1", "n2"));

    vA.command(RETRY);

    assertThat(vA.answers()).containsExactly("no-change");
    assertThat(vA.requests()).isEmpty();
  }

  @Test
  @DisplayName("retry leaves alone what waits for no call")
  void retryWaiting() {
    vA.grant(owner("a1", "n2"));
    vA.node("n2", NodeStatus.DOWN);
    vA.fence("n2", true);
    vA.answerAll();
    vA.node("n2", NodeStatus.READY);
    vA.claim(owner("a2", "n2"));
    vA.drain();

    vA.command(RETRY);

    assertThat(vA.answers()).containsExactly("no-change");
    assertThat(vA.table()).containsExactly("a2 n2 write waiting hold=node-not-clean");
  }

  @Test
  @DisplayName("assume-detached frees the claims of the node and gives the slot back")
  void assumeDetached() {
    vA.grant(owner("a1", "n2"));
    vA.claim(owner("a2", "n3"));
    vA.ends("a1");
    vA.unmounted("a1");
    vA.held("CU vol-a i-2", HoldCode.TIMEOUT, RpcCode.DEADLINE_EXCEEDED, true, true);
    vA.drain();

    vA.command(ASSUME);

    assertThat(vA.answers()).containsExactly("ok");
    assertThat(vA.requests())
        .containsExactly("withdraw", "release slot vol-a n2", "CP vol-a i-3 rw (slot)");
    assertThat(vA.deadLetters()).containsExactly("a1 resolved");
    assertThat(vA.table()).containsExactly("a2 n3 write taken");
    assertThat(vA.attachments()).containsExactly("i-3 attaching");
  }

  @Test
  @DisplayName("assume-detached of a live claim is refused")
  void assumeLive() {
    vA.grant(owner("a1", "n2"));

    vA.command(ASSUME);

    assertThat(vA.answers()).containsExactly("in-use");
    assertThat(vA.table()).containsExactly("a1 n2 write taken");
  }

  @Test
  @DisplayName("assume-detached is refused while an attach is being taken back")
  void assumeWhileAttaching() {
    vA.claim(owner("a1", "n2"));
    vA.lanes.open(vA.lanes.idOf("CP vol-a i-2 rw"));
    vA.ends("a1");

    vA.command(ASSUME);

    assertThat(vA.answers()).containsExactly("in-use");
    assertThat(vA.table()).containsExactly("a1 n2 write node-detached");
  }

  @Test
  @DisplayName("assume-detached where nothing is says so")
  void assumeNothing() {
    vA.command(ASSUME);

    assertThat(vA.answers()).containsExactly("not-found");
  }

  @Test
  @DisplayName("unblock where nothing waits for a lost node changes nothing and says so")
  void unblockNothing() {
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");

    vA.command(UNBLOCK);
    List<String> answers = vA.answers();

    assertThat(answers).containsExactly("no-change");
    assertThat(vA.table()).containsExactly("a1 n2 write unpublishing");
  }
}
