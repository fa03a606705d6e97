package dev.berth.workers.accept;

import static dev.berth.workers.WorkFixtures.NOON;
import static dev.berth.workers.WorkFixtures.work;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.LaneStatus;
import dev.berth.records.OpenAttempt;
import dev.berth.records.Work;
import dev.berth.workers.accept.Opening.Place;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OpeningTest {

  private static final Work T1 = work("t1").build();
  private static final Work T2 = work("t2").setPlugin("nfs").build();

  private static final TopicPartition BEGUN = new TopicPartition("berth.plugin-work", 5);
  private static final TopicPartition OTHER = new TopicPartition("berth.plugin-work", 0);
  private static final Map<TopicPartition, Long> ENDS = Map.of(BEGUN, 7L);

  @Test
  void whatIsOpenAndNotAcceptedIsFound() {
    assertThat(
            Opening.unaccepted(
                List.of(status(notAccepted(T1)), status(notAccepted(T2))), all -> true))
        .containsExactly(T1, T2);
  }

  @Test
  void whatSomebodyHasAcceptedIsLeftAlone() {
    OpenAttempt accepted =
        OpenAttempt.newBuilder(notAccepted(T1)).setAcceptanceId("x1").setWorker("w9").build();

    assertThat(Opening.unaccepted(List.of(status(accepted)), all -> true)).isEmpty();
  }

  @Test
  void whatIsNotOursIsLeftAlone() {
    assertThat(
            Opening.unaccepted(
                List.of(status(notAccepted(T1)), status(notAccepted(T2))),
                work -> work.getPlugin().equals("nfs")))
        .containsExactly(T2);
  }

  @Test
  void whatLiesBeforeTheEndOfABegunPartitionIsAccepted() {
    assertThat(Opening.accepts(new Place(BEGUN, 6), BEGUN, ENDS, polled -> true)).isTrue();
  }

  @Test
  void whatWillBePolledIsNotTakenTwice() {
    assertThat(Opening.accepts(new Place(BEGUN, 7), BEGUN, ENDS, polled -> true)).isFalse();
  }

  @Test
  void whereARecordLiesCountsAndNotWhereItsKeyLeadsSinceThereAreMorePartitions() {
    assertThat(Opening.accepts(new Place(OTHER, 3), BEGUN, ENDS, polled -> true)).isFalse();
    assertThat(Opening.accepts(new Place(BEGUN, 3), OTHER, ENDS, polled -> true)).isTrue();
  }

  @Test
  void whatLiesWhereNobodyPollsIsAccepted() {
    assertThat(Opening.accepts(new Place(OTHER, 3), BEGUN, ENDS, polled -> false)).isTrue();
  }

  @Test
  void whatTheTopicHasLostIsAcceptedWhereItsKeyLeads() {
    assertThat(Opening.accepts(null, BEGUN, ENDS, polled -> true)).isTrue();
    assertThat(Opening.accepts(null, OTHER, ENDS, polled -> true)).isFalse();
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
