package dev.berth.streams.claims;

import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.sharer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.ClaimState;
import dev.berth.records.NodeStatus;
import dev.berth.streams.kernel.Change;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A row without what should stand beside it")
class RestoringTest {
  private final Volumes vA = Volumes.f0("vA");

  /**
   * Takes away what this version writes beside a row, as another hand would not have written it.
   */
  private static void alone(Volumes volume, Claim row) {
    volume.world.state.apply(new Change.Remove(ClaimTables.ATTACHMENTS, row.key().of(row.node())));
    volume.world.state.apply(
        new Change.Remove(ClaimTables.BY_NODE, row.node() + "/" + row.key().of(row.alloc())));
    volume.world.state.apply(new Change.Put<>(ClaimTables.CLAIMS, row.key().of(row.alloc()), row));
  }

  @Test
  @DisplayName("counts as attached, and no call follows while its claim is live")
  void live() {
    vA.grant(owner("a1", "n1"));
    alone(vA, vA.row("a1"));

    vA.look(false);

    assertThat(vA.requests()).isEmpty();
    assertThat(vA.attachments()).containsExactly("i-1 uncertain");
    assertThat(vA.table()).containsExactly("a1 n1 write taken");
  }

  @Test
  @DisplayName("is attached again for a further claim without a slot, which could be refused")
  void furtherClaim() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n2"));
    alone(vX, vX.row("a1"));
    vX.look(false);

    vX.claim(sharer("a2", "n2"));

    assertThat(vX.requests()).containsExactly("CP vol-x i-2 rw");
    assertThat(vX.table()).containsExactly("a1 n2 write taken", "a2 n2 write taken");
  }

  @Test
  @DisplayName("is attached again when listings prove that its attachment is gone")
  void goneAtTheProvider() {
    vA.grant(owner("a1", "n1"));
    alone(vA, vA.row("a1"));
    vA.look(false);
    vA.world.pass(Duration.ofMinutes(1));

    vA.listed(vA.world.now());
    List<String> asked = vA.requests();
    vA.ok("CP vol-a i-1 rw");

    assertThat(asked).containsExactly("CP vol-a i-1 rw");
    assertThat(vA.findings()).containsExactly("MISSING i-1");
    assertThat(vA.attachments()).containsExactly("i-1 attached");
    assertThat(vA.row("a1").attachmentGeneration()).isEqualTo(vA.uses().get(0).generation());
  }

  @Test
  @DisplayName("is detached before it is freed, and its node finds it again")
  void nodeGone() {
    vA.grant(owner("a1", "n1"));
    alone(vA, vA.row("a1"));
    vA.look(false);

    vA.node("n1", NodeStatus.GONE);

    assertThat(vA.requests()).containsExactly("CU vol-a i-1");
  }

  @Test
  @DisplayName("may be mounted although nothing says that its alloc was told")
  void perhapsTold() {
    vA.claim(owner("a1", "n1"));
    Claim taken = vA.row("a1").edit().settled().done();
    alone(vA, taken);
    vA.drain();

    vA.gone("a1");

    assertThat(vA.table()).containsExactly("a1 n1 write unpublishing");
    assertThat(vA.requests()).isEmpty();

    vA.unmounted("a1");

    assertThat(vA.requests()).containsExactly("CU vol-a i-1");
  }

  @Test
  @DisplayName("keeps another claim waiting although its volume has lost its mode")
  void mode() {
    vA.grant(owner("a1", "n1"));
    Volume volume = vA.volume().orElseThrow();
    vA.world.state.apply(
        new Change.Put<>(ClaimTables.VOLUMES, vA.key().toString(), volume.inMode(null, null)));

    vA.claim(owner("a2", "n2"));

    assertThat(vA.table()).containsExactly("a1 n1 write taken", "a2 n2 write waiting");
  }

  @Test
  @DisplayName("that says it is detached is freed, unless something is attached after all")
  void lastStep() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n1"), sharer("a2", "n2"));
    vX.ends("a1");
    vX.ends("a2");
    Claim free = vX.row("a1");
    Claim attached = vX.row("a2");
    alone(vX, free.edit().state(ClaimState.CONTROLLER_DETACHED, vX.world.now()).done());
    vX.world.state.apply(
        new Change.Put<>(
            ClaimTables.CLAIMS,
            attached.key().of("a2"),
            attached.edit().state(ClaimState.CONTROLLER_DETACHED, vX.world.now()).done()));

    vX.look(false);

    assertThat(vX.table()).containsExactly("a2 n2 write node-detached");
    assertThat(vX.requests()).containsExactly("CU vol-x i-2");
  }
}
