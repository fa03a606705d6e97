package dev.berth.workers.accept;

import static dev.berth.workers.WorkFixtures.work;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Work;
import dev.berth.workers.accept.AcceptDecision.Reason;
import dev.berth.workers.accept.AcceptDecision.Skipped;
import dev.berth.workers.accept.Polled.Dispatched;
import dev.berth.workers.accept.Polled.Unreadable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class AcceptDecisionTest {

  private static final TopicPartition P0 = new TopicPartition("berth.plugin-work", 0);
  private static final TopicPartition P1 = new TopicPartition("berth.plugin-work", 1);
  private static final int ROOM = 10;

  @Test
  void acceptsTheWorkOfItsRoute() {
    Work first = work("t1").build();
    Work second = work("t2").setPlugin("nfs").build();

    assertThat(decide(ROOM, new Dispatched(P0, 4, first), new Dispatched(P1, 7, second)))
        .isEqualTo(
            new AcceptDecision(
                List.of(first, second), List.of(), Map.of(P0, 5L, P1, 8L), Map.of()));
  }

  @Test
  void skipsTheWorkOfAnotherRouteAndAdvancesPastIt() {
    Dispatched other = new Dispatched(P0, 4, work("t1").setRoute("ebs-n7").build());

    assertThat(decide(ROOM, other))
        .isEqualTo(
            new AcceptDecision(
                List.of(),
                List.of(new Skipped(other, Reason.OTHER_ROUTE)),
                Map.of(P0, 5L),
                Map.of()));
  }

  @Test
  void skipsAnAttemptThatItHasAcceptedBefore() {
    Dispatched again = new Dispatched(P0, 9, work("t1").build());

    assertThat(AcceptDecision.decide(List.of(again), "pool", Set.of("t1")::contains, ROOM))
        .isEqualTo(
            new AcceptDecision(
                List.of(),
                List.of(new Skipped(again, Reason.KNOWN_ATTEMPT)),
                Map.of(P0, 10L),
                Map.of()));
  }

  @Test
  void acceptsAnAttemptOnceThatIsPolledTwice() {
    Dispatched first = new Dispatched(P0, 8, work("t1").build());
    Dispatched again = new Dispatched(P0, 9, work("t1").build());

    assertThat(decide(ROOM, first, again))
        .isEqualTo(
            new AcceptDecision(
                List.of(first.work()),
                List.of(new Skipped(again, Reason.KNOWN_ATTEMPT)),
                Map.of(P0, 10L),
                Map.of()));
  }

  @Test
  void skipsWhatNobodyCanRead() {
    Unreadable unreadable =
        new Unreadable(
            new ConsumerRecord<>(P0.topic(), 0, 3, "ebs", new byte[] {1}), "the first byte is 1");

    AcceptDecision decision = decide(ROOM, unreadable);

    assertThat(decision)
        .isEqualTo(
            new AcceptDecision(
                List.of(),
                List.of(new Skipped(unreadable, Reason.UNREADABLE)),
                Map.of(P0, 4L),
                Map.of()));
    assertThat(decision.unreadable()).containsExactly(unreadable);
  }

  @Test
  void defersWhatThereIsNoRoomForAndAllThatFollowsInItsPartition() {
    Work first = work("t1").build();
    Dispatched other = new Dispatched(P1, 1, work("t5").setRoute("ebs-n7").build());

    assertThat(
            decide(
                1,
                new Dispatched(P0, 4, first),
                new Dispatched(P0, 5, work("t2").build()),
                new Dispatched(P0, 6, work("t3").setRoute("ebs-n7").build()),
                other,
                new Dispatched(P1, 2, work("t4").build())))
        .isEqualTo(
            new AcceptDecision(
                List.of(first),
                List.of(new Skipped(other, Reason.OTHER_ROUTE)),
                Map.of(P0, 5L, P1, 2L),
                Map.of(P0, 5L, P1, 2L)));
  }

  private static AcceptDecision decide(int room, Polled... polled) {
    return AcceptDecision.decide(List.of(polled), "pool", attempt -> false, room);
  }
}
