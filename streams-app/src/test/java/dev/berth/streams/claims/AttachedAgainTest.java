package dev.berth.streams.claims;

import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.reader;
import static dev.berth.streams.claims.Ask.writer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AccessMode;
import dev.berth.records.HoldCode;
import dev.berth.records.RpcCode;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.LaneRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A call that is taken back so that the attachment is made again first")
class AttachedAgainTest {
  private static final AccessMode SHARED = AccessMode.MULTI_NODE_SINGLE_WRITER;

  private final Volumes vA = Volumes.f0("vA");
  private final Volumes vM = Volumes.f0("vM");

  @Test
  @DisplayName("goes on with the budget that it had")
  void stageKeepsItsBudget() {
    staging();
    vA.held("NS vol-a @n1", HoldCode.NODE_ERROR, RpcCode.UNAVAILABLE, true, false);
    Hold before = Objects.requireNonNull(vA.row("a1").hold());
    goneAtTheProvider(vA);

    vA.ok("CP vol-a i-1 rw");

    assertThat(budgets(vA)).containsExactly(before);
    assertThat(vA.table()).containsExactly("a1 n1 write taken hold=node-error");
    assertThat(vA.deadLetters()).isEmpty();
  }

  @Test
  @DisplayName("stays reported until it works")
  void stageStaysReported() {
    staging();
    vA.held("NS vol-a @n1", HoldCode.NODE_ERROR, RpcCode.UNAVAILABLE, true, true);
    goneAtTheProvider(vA);
    vA.ok("CP vol-a i-1 rw");
    List<String> letters = vA.deadLetters();

    vA.ok("NS vol-a @n1");

    assertThat(letters).containsExactly("a1 node-error at node-stage");
    assertThat(vA.deadLetters()).containsExactly("a1 resolved");
  }

  @Test
  @DisplayName("is held as before once the attach has worked that failed meanwhile")
  void attachFailsMeanwhile() {
    staging();
    vA.held("NS vol-a @n1", HoldCode.NODE_ERROR, RpcCode.UNAVAILABLE, true, false);
    Hold before = Objects.requireNonNull(vA.row("a1").hold());
    goneAtTheProvider(vA);
    vA.held("CP vol-a i-1 rw", HoldCode.CONTROLLER_ERROR, RpcCode.INTERNAL, true, true);
    List<String> meanwhile = vA.table();
    vA.drain();

    vA.ok("CP vol-a i-1 rw");

    assertThat(meanwhile).containsExactly("a1 n1 write taken stuck=controller-error");
    assertThat(vA.row("a1").hold()).isEqualTo(before);
    assertThat(budgets(vA)).containsExactly(before);
    assertThat(vA.replies()).containsExactly("a1 waiting hold=node-error");
    assertThat(vA.deadLetters()).containsExactly("a1 resolved");
  }

  @Test
  @DisplayName("grants nothing when it is done meanwhile, and is asked for anew behind the attach")
  void publishedMeanwhile() {
    staging();
    vA.ok("NS vol-a @n1");
    vA.lanes.open(vA.lanes.idOf("NP vol-a a1 @n1"));
    goneAtTheProvider(vA);
    vA.drain();

    vA.ok("NP vol-a a1 @n1");
    List<String> early = vA.requests();
    vA.ok("CP vol-a i-1 rw");

    assertThat(early).containsExactly("CP vol-a i-1 rw");
    assertThat(vA.requests()).containsExactly("NP vol-a a1 @n1");
    assertThat(vA.replies()).isEmpty();
  }

  @Test
  @DisplayName("is a reader's own attach that was refused, too: it keeps no writer from its disk")
  void ownAttach() {
    refusedToTheReader();
    Hold before = Objects.requireNonNull(vM.row("r2").hold());

    goneAtTheProvider(vM);
    List<String> first = vM.requests();
    vM.ok("CP vol-m i-1 rw");

    assertThat(first).containsExactly("withdraw", "CP vol-m i-1 rw");
    assertThat(vM.findings()).containsExactly("MISSING i-1");
    assertThat(budgets(vM)).containsExactly(before);
    assertThat(vM.table())
        .containsExactly("r2 n1 read taken stuck=controller-error", "w1 n1 write taken");
    assertThat(vM.deadLetters()).isEmpty();
  }

  @Test
  @DisplayName("is over when its claim needs no attach of its own any more")
  void ownAttachIsNotNeeded() {
    refusedToTheReader();
    goneAtTheProvider(vM);
    vM.world.plainController("ebs", "n1");
    vM.world.plainController("ebs", "n2");

    vM.ok("CP vol-m i-1 rw");

    assertThat(vM.deadLetters()).containsExactly("r2 resolved");
    assertThat(vM.table()).containsExactly("r2 n1 read taken", "w1 n1 write taken");
    assertThat(vM.row("r2").setAside()).isNull();
  }

  @Test
  @DisplayName("comes back before the attach is made again when it has just gone out")
  void ownAttachIsOpen() {
    refusedToTheReader();
    vM.lanes.open(vM.lanes.idOf("CP vol-m i-1 ro"));

    goneAtTheProvider(vM);
    List<String> early = vM.requests();
    vM.ok("CP vol-m i-1 ro");

    assertThat(early).containsExactly("withdraw");
    assertThat(vM.requests()).containsExactly("CP vol-m i-1 rw");
    assertThat(vM.attachments()).containsExactly("i-1 attaching");
  }

  /** A claim that waits for the staging of its volume. */
  private void staging() {
    vA.world.policy("node-step", "worker");
    vA.claim(owner("a1", "n1"));
    vA.ok("CP vol-a i-1 rw");
  }

  /** A writer that has its disk, beside a reader whose own attach is refused when made again. */
  private void refusedToTheReader() {
    vM.grant(writer("w1", "n1", SHARED), reader("r2", "n1", SHARED));
    goneAtTheProvider(vM);
    vM.ok("CP vol-m i-1 rw");
    vM.held("CP vol-m i-1 ro", HoldCode.CONTROLLER_ERROR, RpcCode.INVALID_ARGUMENT, false, true);
    vM.drain();
  }

  private static void goneAtTheProvider(Volumes volume) {
    volume.world.pass(Duration.ofMinutes(1));
    Instant since = volume.world.now();
    volume.world.pass(Duration.ofMinutes(1));
    volume.listed(since);
  }

  /** What the last call that was asked for goes on with. */
  private static List<Hold> budgets(Volumes volume) {
    List<LaneRequest> requests = volume.laneRequests();
    return requests.subList(requests.size() - 1, requests.size()).stream()
        .map(request -> ((LaneRequest.Enqueue) request.body()).goesOn())
        .filter(Objects::nonNull)
        .toList();
  }
}
