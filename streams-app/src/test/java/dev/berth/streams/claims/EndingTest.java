package dev.berth.streams.claims;

import static dev.berth.records.ClientStatus.COMPLETE;
import static dev.berth.records.ClientStatus.RUNNING;
import static dev.berth.streams.claims.Ask.owner;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.EndCause;
import dev.berth.records.NodeStatus;
import dev.berth.streams.claims.ClaimsEvent.Gone;
import dev.berth.streams.claims.ClaimsEvent.StatusChanged;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A claim")
class EndingTest {
  private final Volumes vA = Volumes.f0("vA");

  @ParameterizedTest(name = "{0}")
  @MethodSource
  @DisplayName("ends with")
  void ends(EndCause cause, Consumer<Volumes> event) {
    vA.grant(owner("a1", "n2"));

    event.accept(vA);

    assertThat(vA.row("a1").ending()).isEqualTo(new Claim.Ending(World.START, cause));
  }

  static Stream<Arguments> ends() {
    return Stream.of(
        end(EndCause.ALLOC_TERMINAL, it -> it.client("a1", ClientStatus.COMPLETE)),
        end(EndCause.ALLOC_TERMINAL, it -> it.client("a1", ClientStatus.FAILED)),
        end(EndCause.ALLOC_TERMINAL, it -> it.client("a1", ClientStatus.LOST)),
        end(EndCause.ALLOC_GONE, it -> it.gone("a1")),
        end(EndCause.CLIENT_UNPUBLISHED, it -> it.unmounted("a1")),
        end(EndCause.NODE_LOSS, it -> it.node("n2", NodeStatus.GONE)),
        end(
            EndCause.NODE_LOSS,
            it -> {
              it.node("n2", NodeStatus.DOWN);
              it.fence("n2", true);
            }),
        end(
            EndCause.NODE_LOSS,
            it -> {
              it.world.policy("node-loss", "detach");
              it.node("n2", NodeStatus.DOWN);
            }));
  }

  private static Arguments end(EndCause cause, Consumer<Volumes> event) {
    return Arguments.of(cause, event);
  }

  @ParameterizedTest
  @EnumSource(
      value = ClientStatus.class,
      names = {"PENDING", "RUNNING", "UNKNOWN", "UNRECOGNIZED"})
  @DisplayName("does not end with a wish to stop, nor with a client status that is no end")
  void doesNotEnd(ClientStatus status) {
    vA.grant(owner("a1", "n2"));

    vA.say("a1", new StatusChanged(status, DesiredStatus.STOP));
    vA.look(true);

    assertThat(vA.table()).containsExactly("a1 n2 write taken");
    assertThat(vA.requests()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = NodeStatus.class,
      names = {"DISCONNECTED", "DOWN"})
  @DisplayName("does not end with a node that may come back")
  void nodeMayComeBack(NodeStatus status) {
    vA.grant(owner("a1", "n2"));

    vA.node("n2", status);

    assertThat(vA.row("a1").live()).isTrue();
  }

  @Test
  @DisplayName("taken after its scheduler looked for it is not ended by what it found missing")
  void goneEarlier() {
    vA.grant(owner("a1", "n2"));
    long generation = vA.row("a1").generation();

    vA.say("a1", new Gone(generation - 1));

    assertThat(vA.table()).containsExactly("a1 n2 write taken");
  }

  @Test
  @DisplayName("ends once, whatever is repeated or comes late")
  void endsOnce() {
    vA.grant(owner("a1", "n2"));
    vA.say("nomad", "a1", 20, new StatusChanged(COMPLETE, DesiredStatus.RUN));
    Claim ended = vA.row("a1");
    vA.drain();

    vA.say("nomad", "a1", 20, new StatusChanged(COMPLETE, DesiredStatus.RUN));
    vA.say("nomad", "a1", 15, new StatusChanged(RUNNING, DesiredStatus.RUN));
    vA.look(false);

    assertThat(vA.row("a1")).isEqualTo(ended);
    assertThat(vA.happenings()).isEmpty();
  }

  @Test
  @DisplayName("left as taken although its alloc is dead is released by the next look")
  void repaired() {
    vA.grant(owner("a1", "n2"));
    Claim dead = vA.row("a1").edit().status(COMPLETE, DesiredStatus.RUN).done();
    vA.world.put(ClaimTables.CLAIMS, "default/vA/a1", dead);

    vA.look(false);

    assertThat(vA.table()).containsExactly("a1 n2 write unpublishing");
  }

  @Test
  @DisplayName("of a dead alloc that nobody released is released when another claims the volume")
  void releasedByTheNextClaim() {
    vA.grant(owner("a1", "n1"));
    Claim dead = vA.row("a1").edit().status(COMPLETE, DesiredStatus.RUN).done();
    vA.world.put(ClaimTables.CLAIMS, "default/vA/a1", dead);

    vA.claim(owner("a2", "n2"));

    assertThat(vA.replies()).containsExactly("a2 waiting held-by=a1");
    assertThat(vA.table()).containsExactly("a1 n1 write unpublishing", "a2 n2 write waiting");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gc", "start-up"})
  @DisplayName("left as taken although the scheduler no longer knows its alloc goes with a sweep")
  void forgotten(String sweep) {
    asIfNeverGone("a1", "n2");

    vA.decide(new ClaimsEvent.Look(vA.key(), sweep, false));

    assertThat(vA.row("a1").ending()).isEqualTo(new Claim.Ending(World.START, EndCause.ALLOC_GONE));
  }

  @Test
  @DisplayName("of an alloc that is no longer known is released when another claims the volume")
  void forgottenAndInTheWay() {
    asIfNeverGone("a1", "n1");

    vA.claim(owner("a2", "n2"));

    assertThat(vA.table()).containsExactly("a1 n1 write unpublishing", "a2 n2 write waiting");
  }

  /** A row as a hand edit leaves it: the scheduler's word stands, its effect is undone. */
  private void asIfNeverGone(String alloc, String node) {
    vA.grant(owner(alloc, node));
    Claim before = vA.row(alloc);
    vA.gone(alloc);
    vA.world.put(ClaimTables.CLAIMS, vA.key().of(alloc), before);
  }

  @Test
  @DisplayName("is told of in its history step by step")
  void history() {
    vA.claim(owner("a1", "n2"));
    vA.answerAll();
    vA.ends("a1");
    vA.unmounted("a1");
    List<String> before = vA.happenings();
    vA.answerAll();

    assertThat(before)
        .containsExactly(
            "taken a1", "attached", "granted a1", "unpublishing a1", "node-detached a1");
    assertThat(vA.happenings())
        .containsExactly("detached", "controller-detached a1", "released a1");
  }
}
