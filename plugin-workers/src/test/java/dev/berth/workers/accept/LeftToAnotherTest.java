package dev.berth.workers.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two processes for one node: which of them has its work. */
class LeftToAnotherTest extends GroupMemberFixture {

  private final AtomicInteger signsRead = new AtomicInteger();
  private final MemberConsumer ours =
      new MemberConsumer() {
        @Override
        public synchronized Map<TopicPartition, OffsetAndMetadata> committed(
            Set<TopicPartition> partitions, Duration timeout) {
          signsRead.incrementAndGet();
          return super.committed(partitions);
        }
      };
  private AcceptLoop loop;

  @BeforeEach
  void start() {
    ours.updatePartitions(WORK, List.of(partitionInfo(WORK, 0)));
    ours.updateBeginningOffsets(Map.of(P, 0L));
    loop = loop(ours, new OfNode("n1"), clocks);
    loop.start();
    await().until(() -> !signs(0).isEmpty());
    // The cluster would have it from the producer.
    other(signs(0).get(0));
  }

  @AfterEach
  void close() {
    loop.close();
  }

  @Test
  void whoTakesTheWorkSaysSoAtOnceAndFromThenOnEachMinute() {
    assertThat(signs(0)).containsExactly("w1/x1");

    clocks.advance(Duration.ofSeconds(61));

    await().until(() -> signs(0).equals(List.of("w1/x1", "w1/x2")));
  }

  @Test
  void theWorkIsLeftToTheOtherForAsLongAsThatGivesSigns() {
    fence();
    for (int i = 0; i < 2; i++) {
      other("w2/" + i);
      awaitLooks();
      clocks.advance(Duration.ofSeconds(170));
      awaitLooks();
      assertThat(producers).as("the other is there").hasSize(1);
    }
    assertThat(loop.waiting())
        .containsExactly(
            "another process serves route pool: stop one of the two; this one takes over when the"
                + " other ends, or gives no sign for 180 s");

    clocks.advance(Duration.ofSeconds(11));

    await().until(() -> producers.size() == 2);
    await().until(() -> signs(1).size() == 1);
  }

  @Test
  void theWorkIsTakenBackAtOnceWhenTheOtherSaysThatItEnds() {
    fence();
    awaitLooks();

    other("left");

    await().until(() -> producers.size() == 2);
  }

  @Test
  void whoEndsSaysSo() {
    loop.close();

    assertThat(signs(0)).endsWith("left");
  }

  @Test
  void aLoopThatTheClusterLetsDoNothingComesRoundAllTheSame() {
    onCommit =
        () -> {
          throw new TimeoutException("no broker");
        };
    clocks.advance(Duration.ofMinutes(3));

    await().until(() -> producers.size() > 1);

    assertThat(loop.sinceLastRound()).isLessThan(Duration.ofMinutes(2));
  }

  private void fence() {
    producers.get(0).fenceProducer();
    clocks.advance(Duration.ofSeconds(61));
    await().until(() -> !loop.waiting().isEmpty());
  }

  private void other(String sign) {
    ours.commitSync(Map.of(P, new OffsetAndMetadata(0, sign)));
  }

  /** It has looked at the signs since. */
  private void awaitLooks() {
    int before = signsRead.get();
    await().until(() -> signsRead.get() > before + 1);
  }

  private List<String> signs(int process) {
    if (producers.size() <= process) {
      return List.of();
    }
    MockProducer<String, byte[]> producer = producers.get(process);
    return offsets(producer).stream().map(each -> each.get(P).metadata()).toList();
  }
}
