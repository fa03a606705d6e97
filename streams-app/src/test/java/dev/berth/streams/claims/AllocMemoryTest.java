package dev.berth.streams.claims;

import static dev.berth.records.ClientStatus.COMPLETE;
import static dev.berth.streams.claims.Ask.owner;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AllocFate;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import dev.berth.streams.claims.ClaimsEvent.Asked;
import dev.berth.streams.claims.ClaimsEvent.Gone;
import dev.berth.streams.claims.ClaimsEvent.StatusChanged;
import dev.berth.streams.kernel.State;
import dev.berth.streams.work.Hold;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An alloc without a claim")
class AllocMemoryTest {
  private final Volumes vA = Volumes.f0("vA");

  @Test
  @DisplayName("is remembered as ended when its claim was released after its end")
  void ended() {
    released("a1");

    assertThat(memories()).containsExactly(memory("a1", 3, AllocFate.TERMINAL));
  }

  @Test
  @DisplayName("is remembered as released when it lives on")
  void livesOn() {
    vA.grant(owner("a1", "n2"));
    vA.unmounted("a1");
    vA.answerAll();

    assertThat(memories()).containsExactly(memory("a1", 2, AllocFate.RELEASED));
  }

  @Test
  @DisplayName("is remembered as gone once its scheduler has said so")
  void gone() {
    vA.gone("ghost");

    assertThat(memories()).containsExactly(memory("ghost", 1, AllocFate.GONE));
  }

  @Test
  @DisplayName("is not remembered for what is no end")
  void noEnd() {
    vA.client("a1", ClientStatus.RUNNING);
    vA.unmounted("a1");

    assertThat(memories()).isEmpty();
  }

  @Test
  @DisplayName("that has a claim again is not remembered beside it")
  void claimedAgain() {
    vA.grant(owner("a1", "n2"));
    vA.unmounted("a1");
    vA.claim(owner("a1", "n2"));
    vA.answerAll();

    assertThat(vA.table()).containsExactly("a1 n2 write taken");
    assertThat(memories()).isEmpty();
  }

  @Test
  @DisplayName("is not taken in by an old claim that comes once more")
  void replayedClaim() {
    vA.grant(owner("a1", "n2"));
    ClaimAsk ask = vA.row("a1").ask();
    vA.unmounted("a1");
    vA.answerAll();
    vA.drain();

    vA.say("nomad", "a1", 1, new Asked(ask));

    assertThat(vA.replies()).isEmpty();
    assertThat(vA.table()).isEmpty();
  }

  @Test
  @DisplayName("is not granted by a claim that was refused and comes once more")
  void refusedClaim() {
    vA.grant(owner("a1", "n2"));
    ClaimAsk ask = vA.row("a1").ask();
    vA.unmounted("a1");
    vA.answerAll();
    vA.drain();
    vA.world.sickController("ebs", "n1");
    vA.world.sickController("ebs", "n2");
    vA.say("nomad", "a1", 3, new Asked(ask));
    List<String> refused = vA.replies();
    vA.drain();
    vA.world.plainController("ebs", "n1");

    vA.say("nomad", "a1", 3, new Asked(ask));

    assertThat(refused).containsExactly("a1 rejected unschedulable");
    assertThat(vA.replies()).isEmpty();
    assertThat(vA.table()).isEmpty();
  }

  @Test
  @DisplayName("changes nothing with statements that come late")
  void lateStatements() {
    released("a1");
    List<AllocMemory> before = memories();
    vA.drain();

    vA.say("nomad", "a1", 2, new StatusChanged(COMPLETE, DesiredStatus.RUN));
    vA.unmounted("a1");

    assertThat(vA.requests()).isEmpty();
    assertThat(memories()).isEqualTo(before);
  }

  @Test
  @DisplayName("is known by what its own scheduler says, not another")
  void otherScheduler() {
    vA.say("other", "a1", 9, new Gone(null));

    vA.claim(owner("a1", "n2"));

    assertThat(vA.requests()).containsExactly("CP vol-a i-2 rw (slot)");
  }

  @Test
  @DisplayName("keeps what it owes behind a fence, whatever another scheduler says of its id")
  void otherSchedulerAfterFence() {
    vA.grant(owner("a1", "n2"));
    vA.node("n2", NodeStatus.DOWN);
    vA.fence("n2", true);
    vA.answerAll();

    vA.say("other", "a1", 9, new Gone(null));
    vA.node("n2", NodeStatus.READY);
    vA.claim(owner("a2", "n2"));

    assertThat(vA.row("a2").hold())
        .isNotNull()
        .extracting(Hold::code)
        .isEqualTo(HoldCode.NODE_NOT_CLEAN);
  }

  @Test
  @DisplayName("is forgotten by a sweep once no event of it can be replayed any more")
  void forgotten() {
    released("a1");
    vA.pass(Duration.ofDays(8).plusMillis(1));
    released("a2");

    vA.decide(new ClaimsEvent.Look(vA.key(), "gc", false));

    assertThat(memories()).extracting(AllocMemory::alloc).containsExactly("a2");
  }

  private void released(String alloc) {
    vA.grant(owner(alloc, "n2"));
    vA.ends(alloc);
    vA.unmounted(alloc);
    vA.answerAll();
  }

  private List<AllocMemory> memories() {
    return vA.world.state.scan(ClaimTables.ALLOC_MEMORY, "").stream()
        .map(State.Entry::value)
        .toList();
  }

  private AllocMemory memory(String alloc, long index, AllocFate fate) {
    return new AllocMemory(vA.key(), alloc, "nomad", index, fate, null, World.START);
  }
}
