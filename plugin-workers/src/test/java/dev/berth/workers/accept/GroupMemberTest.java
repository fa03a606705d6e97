package dev.berth.workers.accept;

import static dev.berth.workers.WorkFixtures.AT_NOON;
import static dev.berth.workers.WorkFixtures.work;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Work;
import dev.berth.schemas.registry.RegistryUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;

/** The turns of a group member, with Kafka's own mock clients and their failures. */
class GroupMemberTest extends GroupMemberFixture {

  @Test
  void callsBeginOnceAcceptanceAndOffsetsAreCommittedTogether() {
    GroupMember member = member();
    Work first = work("t1").build();
    Work second = work("t2").build();
    polled(0, first);
    polled(1, second);

    member.turn();

    assertThat(calls.begun)
        .containsExactly(
            Accepted.of(first, "w1", "x1", AT_NOON), Accepted.of(second, "w1", "x2", AT_NOON));
    assertThat(accepted(producers.get(0)))
        .containsExactly(calls.begun.get(0).acceptance(), calls.begun.get(1).acceptance());
    assertThat(offsets(producers.get(0))).containsExactly(Map.of(P, new OffsetAndMetadata(2)));
  }

  @Test
  void nothingIsCalledWhenTheOutcomeOfTheCommitIsUnknown() {
    GroupMember member = member();
    member.turn();
    producers.get(0).commitTransactionException = new TimeoutException("no answer");
    polled(0, work("t1").build());

    member.turn();

    assertThat(calls.begun).isEmpty();
    assertThat(producers.get(0).closed()).isTrue();
  }

  @Test
  void afterAnUnknownOutcomeTheGroupsOffsetsSayWhatHappened() {
    GroupMember member = member();
    member.turn();
    producers.get(0).commitTransactionException = new TimeoutException("no answer");
    polled(0, work("t1").build());
    member.turn();

    // It was not committed: the group is where it was.
    polled(0, work("t1").build());
    member.turn();

    assertThat(producers).hasSize(2);
    assertThat(producers.get(1).transactionInitialized()).isTrue();
    assertThat(calls.begun).containsExactly(Accepted.of(work("t1").build(), "w1", "x2", AT_NOON));
  }

  @Test
  void whatWasCommittedWithoutOurKnowledgeIsNotCalled() {
    GroupMember member = member();
    member.turn();
    producers.get(0).commitTransactionException = new TimeoutException("no answer");
    polled(0, work("t1").build());
    member.turn();

    // It was committed after all: the group is behind it.
    consumer.commitSync(Map.of(P, new OffsetAndMetadata(1)));
    polled(1, work("t2").build());
    member.turn();

    assertThat(calls.begun).extracting(each -> each.work().getAttemptId()).containsExactly("t2");
  }

  @Test
  void aMemberThatIsFencedCallsNobody() {
    GroupMember member = member();
    member.turn();
    producers.get(0).sendOffsetsToTransactionException = new CommitFailedException("fenced");
    polled(0, work("t1").build());

    member.turn();

    assertThat(calls.begun).isEmpty();
  }

  @Test
  void aProducerThatIsFencedIsReplaced() {
    GroupMember member = member();
    member.turn();
    producers.get(0).beginTransactionException = new ProducerFencedException("fenced");
    polled(0, work("t1").build());
    member.turn();
    assertThat(calls.begun).isEmpty();

    polled(0, work("t1").build());
    member.turn();

    assertThat(calls.begun).hasSize(1);
  }

  @Test
  void aConsumerWithoutMembershipAcceptsNothing() {
    GroupMember member = member();
    member.turn();
    consumer.metadata = metadata(-1, "");
    polled(0, work("t1").build());

    member.turn();

    assertThat(calls.begun).isEmpty();
    assertThat(offsets(producers.get(0))).isEmpty();
  }

  @Test
  void theWorkOfAnotherRouteIsSkippedAndItsOffsetWrittenBeforeLong() {
    GroupMember member = member();
    polled(0, work("t1").setRoute("ebs-n7").build());
    member.turn();
    assertThat(calls.begun).isEmpty();
    assertThat(offsets(producers.get(0))).isEmpty();

    clocks.advance(Duration.ofSeconds(6));
    member.turn();

    assertThat(calls.begun).isEmpty();
    assertThat(accepted(producers.get(0))).isEmpty();
    assertThat(offsets(producers.get(0))).containsExactly(Map.of(P, new OffsetAndMetadata(1)));
  }

  @Test
  void offsetsOfAPartitionThatHasMovedAreNotWritten() {
    GroupMember member = member();
    polled(0, work("t1").setRoute("ebs-n7").build());
    member.turn();

    consumer.rebalance(Set.of());
    clocks.advance(Duration.ofSeconds(6));
    member.turn();

    assertThat(offsets(producers.get(0))).isEmpty();
  }

  @Test
  void anAttemptThatIsDispatchedAgainIsNotCalledTwice() {
    GroupMember member = member();
    polled(0, work("t1").build());
    member.turn();

    polled(1, work("t1").build());
    member.turn();

    assertThat(calls.begun).hasSize(1);
  }

  @Test
  void whatNobodyCanReadIsRejectedInTheSameTransaction() {
    GroupMember member = member();
    consumer.addRecord(new ConsumerRecord<>(WORK, 0, 0, "ebs", new byte[] {7, 7, 7, 7, 7, 7}));
    polled(1, work("t1").build());

    member.turn();

    List<ProducerRecord<String, byte[]>> rejected =
        producers.get(0).history().stream()
            .filter(r -> r.topic().equals("berth.rejected-records"))
            .toList();
    assertThat(rejected).hasSize(1);
    assertThat(rejected.get(0).value()).isEqualTo(new byte[] {7, 7, 7, 7, 7, 7});
    assertThat(headers(rejected.get(0)))
        .isEqualTo(
            Map.of(
                "berth.source.topic",
                WORK,
                "berth.source.partition",
                "0",
                "berth.source.offset",
                "0",
                "kafka_dlt-original-topic",
                WORK,
                "kafka_dlt-original-partition",
                "0",
                "kafka_dlt-original-offset",
                "0",
                "berth.reason",
                "topic " + WORK + ": not a Work: the first byte is 7, not 0"));
    assertThat(calls.begun).hasSize(1);
    assertThat(offsets(producers.get(0))).containsExactly(Map.of(P, new OffsetAndMetadata(2)));
  }

  @Test
  void whatNobodyCanReadAndNoBrokerTakesIsRejectedWithoutItsValue() {
    GroupMember member = member();
    consumer.addRecord(new ConsumerRecord<>(WORK, 0, 0, "ebs", new byte[2_000_000]));

    member.turn();

    List<ProducerRecord<String, byte[]>> rejected = producers.get(0).history();
    assertThat(rejected).extracting(ProducerRecord::value).containsExactly((byte[]) null);
    assertThat(headers(rejected.get(0))).containsEntry("berth.omitted.bytes", "2000000");
  }

  @Test
  void nothingIsAcceptedWhileThereIsNoRoom() {
    GroupMember member = member();
    calls.room = 1;
    polled(0, work("t1").build());
    polled(1, work("t2").build());
    member.turn();
    member.turn();
    assertThat(consumer.paused()).containsExactly(P);
    assertThat(calls.begun).hasSize(1);

    calls.room = 1;
    polled(1, work("t2").build());
    member.turn();

    assertThat(calls.begun)
        .extracting(each -> each.work().getAttemptId())
        .containsExactly("t1", "t2");
  }

  @Test
  void thePlacesOfAttemptsThatAreBeingAcceptedAreNobodyElses() {
    GroupMember member = member();
    calls.room = 2;
    List<Integer> left = new ArrayList<>();
    onCommit = () -> left.add(calls.room());
    polled(0, work("t1").build());
    polled(1, work("t2").build());
    polled(2, work("t3").build());

    member.turn();

    assertThat(left).containsExactly(0);
    assertThat(begun()).containsExactly("t1", "t2");
    assertThat(calls.room()).isZero();
  }

  @Test
  void placesAreGivenBackWhenNothingIsAccepted() {
    GroupMember member = member();
    member.turn();
    producers.get(0).commitTransactionException = new TimeoutException("no answer");
    polled(0, work("t1").build());

    member.turn();

    assertThat(calls.room()).isEqualTo(100);
  }

  @Test
  void aPartitionThatCannotBeReadForNowWaitsAloneAndGoesOnWhenTheRegistryIsBack() {
    boolean[] registryDown = {true};
    Work unreadable = work("t2").build();
    Deserializer<Work> workReader =
        (topic, data) -> {
          Work read = works.deserializer().deserialize(topic, data);
          if (registryDown[0] && read.equals(unreadable)) {
            throw new RegistryUnavailableException("no registry", new KafkaException());
          }
          return read;
        };
    GroupMember member = member(workReader);
    TopicPartition other = new TopicPartition(WORK, 1);
    consumer.rebalance(Set.of(P, other));
    consumer.updateBeginningOffsets(Map.of(P, 0L, other, 0L));
    consumer.commitSync(Map.of(P, new OffsetAndMetadata(0), other, new OffsetAndMetadata(0)));
    polled(0, work("t1").build());
    polled(1, unreadable);
    consumer.addRecord(record(other, 0, work("t3").build(), works));
    member.turn();
    assertThat(begun()).containsExactlyInAnyOrder("t1", "t3");
    assertThat(member.waiting()).containsExactly(P + " waits at offset 1: no registry");

    member.turn();
    assertThat(consumer.paused()).containsExactly(P);

    registryDown[0] = false;
    clocks.advance(Duration.ofSeconds(2));
    polled(1, unreadable);
    member.turn();

    assertThat(begun()).containsExactlyInAnyOrder("t1", "t3", "t2");
    assertThat(member.waiting()).isEmpty();
    assertThat(producers.get(0).history())
        .extracting(ProducerRecord::topic)
        .doesNotContain("berth.rejected-records");
  }

  private static Map<String, String> headers(ProducerRecord<String, byte[]> record) {
    Map<String, String> headers = new HashMap<>();
    StreamSupport.stream(record.headers().spliterator(), false)
        .forEach(h -> headers.put(h.key(), new String(h.value(), StandardCharsets.UTF_8)));
    return headers;
  }
}
