package dev.berth.workers.accept;

import static dev.berth.workers.WorkFixtures.AT_NOON;
import static dev.berth.workers.WorkFixtures.work;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Work;
import dev.berth.schemas.registry.RegistryUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** Where a group member begins in partitions of which its group has no offsets. */
class GroupOpeningTest extends GroupMemberFixture {

  @Test
  void aGroupWithoutOffsetsBeginsAtTheEndAndAcceptsWhatIsOpenBeforeIt() {
    Work open = work("open").build();
    Work behind = work("behind").build();
    GroupMember member = memberWithoutOffsets(() -> reader(List.of(open, behind), List.of(behind)));

    member.turn();

    assertThat(calls.begun).containsExactly(Accepted.of(open, "w1", "x1", AT_NOON));
    assertThat(offsets(producers.get(0))).containsExactly(Map.of(EBS, new OffsetAndMetadata(5)));
    assertThat(consumer.position(EBS)).isEqualTo(5);
  }

  @Test
  void anOpeningThatWasNotCommittedIsDoneAgain() {
    Work open = work("open").build();
    GroupMember member = memberWithoutOffsets(() -> reader(List.of(open), List.of()));
    producers.get(0).commitTransactionException = new TimeoutException("no answer");
    member.turn();
    assertThat(calls.begun).isEmpty();

    member.turn();

    assertThat(calls.begun).containsExactly(Accepted.of(open, "w1", "x2", AT_NOON));
    assertThat(offsets(producers.get(1))).containsExactly(Map.of(EBS, new OffsetAndMetadata(5)));
  }

  @Test
  void theOtherPartitionsGoOnWhileABeginningIsLookedFor() {
    Deque<Runnable> waiting = new ArrayDeque<>();
    looks = waiting::add;
    Work open = work("open").build();
    GroupMember member = memberWithoutOffsets(() -> reader(List.of(open), List.of()), P, EBS);
    member.turn();
    assertThat(member.begun()).containsExactly(P);
    polled(0, work("t1").build());

    member.turn();

    assertThat(begun()).containsExactly("t1");
    assertThat(consumer.paused()).containsExactly(EBS);

    waiting.remove().run();
    member.turn();

    assertThat(begun()).containsExactly("t1", "open");
    assertThat(member.begun()).containsExactlyInAnyOrder(P, EBS);
    assertThat(waiting).isEmpty();
  }

  @Test
  void theOtherPartitionsGoOnWhileTheRegistryKeepsABeginningFromBeingFound() {
    boolean[] registryDown = {true};
    Work open = work("open").build();
    GroupMember member =
        memberWithoutOffsets(
            () -> {
              if (registryDown[0]) {
                throw new RegistryUnavailableException("no registry", new KafkaException());
              }
              return reader(List.of(open), List.of());
            },
            P,
            EBS);
    member.turn();
    polled(0, work("t1").build());

    member.turn();

    assertThat(begun()).containsExactly("t1");
    assertThat(member.waiting())
        .containsExactly(
            "[%s] wait for where to begin: %s: no registry"
                .formatted(EBS, RegistryUnavailableException.class.getName()));

    registryDown[0] = false;
    clocks.advance(Duration.ofSeconds(1));
    member.turn();

    assertThat(begun()).containsExactly("t1", "open");
    assertThat(member.waiting()).isEmpty();
  }

  @Test
  void whatWasFoundOfAPartitionThatHasMovedMeanwhileIsForgotten() {
    Deque<Runnable> waiting = new ArrayDeque<>();
    looks = waiting::add;
    GroupMember member =
        memberWithoutOffsets(() -> reader(List.of(work("open").build()), List.of()), P, EBS);
    member.turn();

    consumer.rebalance(Set.of(P));
    consumer.commitSync(Map.of(EBS, new OffsetAndMetadata(5)));
    consumer.rebalance(Set.of(P, EBS));
    waiting.remove().run();
    member.turn();

    assertThat(calls.begun).isEmpty();
    assertThat(member.begun()).containsExactlyInAnyOrder(P, EBS);
  }

  private GroupMember memberWithoutOffsets(Supplier<Consumer<String, byte[]>> readers) {
    return memberWithoutOffsets(readers, EBS);
  }

  private GroupMember memberWithoutOffsets(
      Supplier<Consumer<String, byte[]>> readers, TopicPartition... assigned) {
    GroupMember member = member(works.deserializer(), readers);
    member.turn();
    consumer.rebalance(Set.of(assigned));
    return member;
  }
}
