package dev.berth.streams.claims;

import static dev.berth.records.AccessMode.SINGLE_NODE_READER;
import static dev.berth.records.ClientStatus.COMPLETE;
import static dev.berth.records.ClientStatus.RUNNING;
import static dev.berth.records.NodeStatus.DOWN;
import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.reader;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.DesiredStatus;
import dev.berth.streams.claims.ClaimsEvent.Asked;
import dev.berth.streams.claims.ClaimsEvent.StatusChanged;
import dev.berth.streams.claims.ClaimsEvent.Unmounted;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A claim made again")
class ReclaimTest {
  private final Volumes vA = Volumes.f0("vA");

  @Test
  @DisplayName(
      "by the alloc that holds the volume is answered from the row, without a second attach")
  void repeatedAfterTheGrant() {
    vA.claim(owner("a1", "n2"));
    vA.ok("CP vol-a i-2 rw", Map.of("dev", "/dev/xvdf"));
    vA.drain();

    vA.claim(owner("a1", "n2"));

    assertThat(vA.replies()).containsExactly("a1 granted {dev=/dev/xvdf}");
    assertThat(vA.requests()).isEmpty();
    assertThat(vA.row("a1").ask().requestId()).isEqualTo("r-a1-2");
  }

  @Test
  @DisplayName("before the grant is told that it waits, and gets the one grant")
  void repeatedBeforeTheGrant() {
    vA.claim(owner("a1", "n2"));
    vA.claim(owner("a1", "n2"));

    vA.ok("CP vol-a i-2 rw", Map.of("dev", "/dev/xvdf"));

    assertThat(vA.replies()).containsExactly("a1 waiting", "a1 granted {dev=/dev/xvdf}");
    assertThat(vA.requests()).containsExactly("CP vol-a i-2 rw (slot)");
  }

  @Test
  @DisplayName("by one that waits keeps its place")
  void repeatedWhileWaiting() {
    vA.grant(owner("a1", "n1"));
    vA.claim(owner("a2", "n2"));
    vA.pass(Duration.ofMinutes(1));
    vA.claim(owner("a3", "n3"));
    vA.pass(Duration.ofMinutes(1));
    vA.drain();

    vA.claim(owner("a2", "n2"));
    List<String> replies = vA.replies();
    vA.ends("a1");
    vA.unmounted("a1");
    vA.ok("CU vol-a i-1");

    assertThat(replies).containsExactly("a2 waiting held-by=a1");
    assertThat(vA.table()).containsExactly("a2 n2 write taken", "a3 n3 write waiting");
  }

  @Test
  @DisplayName("by the same statement, after its node ended it, is no new wish")
  void heardAgainAfterItsNodeWasLost() {
    vA.grant(owner("a1", "n2"));
    vA.world.policy("node-loss", "detach");
    vA.node("n2", DOWN);
    Claim leaving = vA.row("a1");

    vA.say("nomad", "a1", 1, new Asked(leaving.ask()));

    assertThat(leaving.ending()).isNotNull();
    assertThat(vA.row("a1")).isEqualTo(leaving);
  }

  @Test
  @DisplayName("in another way is rejected and leaves the row as it is")
  void anotherMode() {
    vA.grant(owner("a1", "n2"));
    Claim before = vA.row("a1");

    vA.claim(reader("a1", "n2", SINGLE_NODE_READER));

    assertThat(vA.replies()).containsExactly("a1 rejected mode");
    assertThat(vA.row("a1")).isEqualTo(before.edit().index(2).done());
  }

  @Test
  @DisplayName("while its row is on its way out waits and is then taken afresh")
  void onTheWayOut() {
    vA.claim(owner("a1", "n2"));
    vA.ok("CP vol-a i-2 rw", Map.of("dev", "first"));
    vA.unmounted("a1");
    vA.drain();

    vA.claim(owner("a1", "n2"));
    List<String> while_ = vA.replies();
    vA.ok("CU vol-a i-2");
    vA.ok("CP vol-a i-2 rw", Map.of("dev", "second"));

    assertThat(while_).containsExactly("a1 waiting held-by=a1");
    assertThat(vA.replies()).containsExactly("a1 granted {dev=second}");
    assertThat(vA.table()).containsExactly("a1 n2 write taken");
  }

  @Test
  @DisplayName("in another way while its row is on its way out answers the claim that it replaces")
  void replacedOnTheWayOut() {
    vA.grant(owner("a1", "n2"));
    vA.unmounted("a1");
    vA.claim(owner("a1", "n2"));
    vA.drain();

    vA.claim(owner("a1", "n3"));

    assertThat(vA.replies()).containsExactly("a1 rejected mode", "a1 waiting held-by=a1");
  }

  @Test
  @DisplayName("and taken afresh is not ended by an unmount of its earlier taking")
  void lateUnmount() {
    vA.grant(owner("a1", "n2"));
    long first = vA.row("a1").generation();
    vA.unmounted("a1");
    vA.claim(owner("a1", "n2"));
    vA.answerAll();

    vA.say("a1", new Unmounted(first));

    assertThat(vA.table()).containsExactly("a1 n2 write taken");
    assertThat(vA.row("a1").generation()).isGreaterThan(first);
  }

  @Test
  @DisplayName("and waiting for its old row is rejected when its alloc ends")
  void endsWhileWaitingForItself() {
    vA.grant(owner("a1", "n2"));
    vA.unmounted("a1");
    vA.claim(owner("a1", "n2"));
    vA.drain();

    vA.ends("a1");
    vA.ok("CU vol-a i-2");

    assertThat(vA.replies()).containsExactly("a1 rejected alloc-terminal");
    assertThat(vA.table()).isEmpty();
  }

  @Test
  @DisplayName("and waiting for its old row is rejected after the ready timeout")
  void timesOutWhileWaitingForItself() {
    vA.grant(owner("a1", "n2"));
    vA.unmounted("a1");
    vA.pass(Duration.ofHours(1));
    vA.claim(owner("a1", "n2"));
    vA.pass(Duration.ofHours(23));
    vA.drain();

    vA.pass(Duration.ofHours(1));

    assertThat(vA.replies()).containsExactly("a1 rejected timeout");
    assertThat(vA.row("a1").again()).isNull();
  }

  @Test
  @DisplayName("after its alloc has ended is rejected")
  void ended() {
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");

    vA.claim(owner("a1", "n2"));

    assertThat(vA.replies()).containsExactly("a1 rejected alloc-terminal");
  }

  @Test
  @DisplayName("with an index older than what was heard since is answered and changes nothing")
  void stale() {
    vA.grant(owner("a1", "n2"));
    ClaimAsk ask = vA.row("a1").ask();
    vA.client("a1", RUNNING);
    vA.client("a1", RUNNING);

    Claim row = vA.row("a1");
    vA.say("nomad", "a1", 1, new Asked(ask));

    assertThat(vA.replies()).containsExactly("a1 granted");
    assertThat(vA.row("a1")).isEqualTo(row);
  }

  @Test
  @DisplayName("by the same alloc id of another scheduler is rejected")
  void otherScheduler() {
    vA.grant(owner("a1", "n2"));
    Claim before = vA.row("a1");

    vA.claim(owner("a1", "n3").by("other"));

    assertThat(vA.replies()).containsExactly("a1 rejected invalid");
    assertThat(vA.row("a1")).isEqualTo(before);
  }

  @Test
  @DisplayName("or ended by another scheduler's words stays as it is")
  void otherSchedulersStatus() {
    vA.grant(owner("a1", "n2"));
    Claim before = vA.row("a1");

    vA.say("other", "a1", 99, new StatusChanged(COMPLETE, DesiredStatus.STOP));

    assertThat(vA.row("a1")).isEqualTo(before);
  }
}
