package dev.berth.workers.accept;

import static dev.berth.workers.WorkFixtures.NOON;
import static dev.berth.workers.WorkFixtures.work;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.LaneStatus;
import dev.berth.records.OpenAttempt;
import dev.berth.records.Work;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OpeningTest {

  private static final Work T1 = work("t1").build();
  private static final Work T2 = work("t2").setPlugin("nfs").build();

  @Test
  void whatIsOpenAndNotAcceptedIsTaken() {
    assertThat(
            Opening.toAccept(
                List.of(status(notAccepted(T1)), status(notAccepted(T2))), all -> true, Set.of()))
        .containsExactly(T1, T2);
  }

  @Test
  void whatSomebodyHasAcceptedIsLeftAlone() {
    OpenAttempt accepted =
        OpenAttempt.newBuilder(notAccepted(T1)).setAcceptanceId("x1").setWorker("w9").build();

    assertThat(Opening.toAccept(List.of(status(accepted)), all -> true, Set.of())).isEmpty();
  }

  @Test
  void whatLiesInOtherPartitionsIsLeftAlone() {
    assertThat(
            Opening.toAccept(
                List.of(status(notAccepted(T1)), status(notAccepted(T2))),
                work -> work.getPlugin().equals("nfs"),
                Set.of()))
        .containsExactly(T2);
  }

  @Test
  void whatWillBePolledIsNotTakenTwice() {
    assertThat(
            Opening.toAccept(
                List.of(status(notAccepted(T1), notAccepted(T2))), all -> true, Set.of("t1")))
        .containsExactly(T2);
  }

  private static OpenAttempt notAccepted(Work work) {
    return OpenAttempt.newBuilder().setWork(work).build();
  }

  private static LaneStatus status(OpenAttempt... open) {
    return LaneStatus.newBuilder()
        .setPlugin("ebs")
        .setPaused(false)
        .setQueued(0)
        .setHeld(0)
        .setInFlight(open.length)
        .setOpen(List.of(open))
        .setAt(NOON)
        .build();
  }
}
