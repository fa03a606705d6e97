package dev.berth.streams.claims;

import static dev.berth.records.NodeStatus.DISCONNECTED;
import static dev.berth.records.NodeStatus.DOWN;
import static dev.berth.records.NodeStatus.READY;
import static dev.berth.streams.claims.Ask.owner;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.ClientStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node that comes back from a fence")
class UncleanNodeTest {
  private final Volumes vA = Volumes.f0("vA");

  @BeforeEach
  void backFromTheFence() {
    vA.grant(owner("a1", "n1"));
    vA.node("n1", DOWN);
    vA.client("a1", ClientStatus.LOST);
    vA.fence("n1", true);
    vA.answerAll();
    vA.node("n1", READY);
    vA.drain();
  }

  @Test
  @DisplayName("gets no claim of a volume that it may still have mounted")
  void waits() {
    vA.claim(owner("a2", "n1"));

    assertThat(vA.replies()).containsExactly("a2 waiting hold=node-not-clean");
    assertThat(vA.requests()).isEmpty();
    assertThat(vA.table()).containsExactly("a2 n1 write waiting hold=node-not-clean");
  }

  @Test
  @DisplayName("keeps the claims that it got since then when it is lost again")
  void lostAgain() {
    vA.unmounted("a1");
    vA.grant(owner("a2", "n1"));
    vA.pass(Duration.ofSeconds(1));

    vA.node("n1", DISCONNECTED);

    assertThat(vA.table()).containsExactly("a2 n1 write taken");
  }

  @Test
  @DisplayName("gets it when the old unmount is reported")
  void reported() {
    vA.claim(owner("a2", "n1"));

    vA.unmounted("a1");

    assertThat(vA.requests()).containsExactly("CP vol-a i-1 rw (slot)");
    assertThat(vA.table()).containsExactly("a2 n1 write taken");
  }

  @Test
  @DisplayName("gets it when an operator says that it is clean")
  void unfenced() {
    vA.claim(owner("a2", "n1"));

    vA.fence("n1", false);

    assertThat(vA.requests()).containsExactly("CP vol-a i-1 rw (slot)");
  }

  @Test
  @DisplayName("does not keep the volume from other nodes")
  void otherNode() {
    vA.claim(owner("a2", "n1"));
    vA.drain();

    vA.claim(owner("a3", "n2"));

    assertThat(vA.requests()).containsExactly("CP vol-a i-2 rw (slot)");
    assertThat(vA.table())
        .containsExactly("a2 n1 write waiting hold=node-not-clean", "a3 n2 write taken");
  }

  @Test
  @DisplayName("and is fenced again later has only its new mounts to report")
  void fencedAgain() {
    vA.fence("n1", false);
    vA.grant(owner("a2", "n1"));
    vA.unmounted("a2");
    vA.answerAll();
    vA.node("n1", DOWN);
    vA.world.pass(java.time.Duration.ofMinutes(1));
    vA.fence("n1", true);
    vA.node("n1", READY);
    vA.drain();

    vA.claim(owner("a3", "n1"));

    assertThat(vA.requests()).containsExactly("CP vol-a i-1 rw (slot)");
  }

  @Test
  @DisplayName("lets a claim that waits for it end like any other")
  void waiterEnds() {
    vA.claim(owner("a2", "n1"));
    vA.drain();

    vA.ends("a2");
    List<String> replies = vA.replies();

    assertThat(replies).containsExactly("a2 rejected alloc-terminal");
    assertThat(vA.table()).isEmpty();
  }
}
