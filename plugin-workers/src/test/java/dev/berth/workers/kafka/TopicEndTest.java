package dev.berth.workers.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workers.ManualClocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** How long the end of a topic is waited for. */
class TopicEndTest {

  private static final TopicPartition P = new TopicPartition("berth.lane-status", 0);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ManualClocks clocks = new ManualClocks();

  @Test
  void aTopicThatTakesLongerThanOurPatienceIsReadToItsEndWhileItGoesOn() {
    List<Long> offsets = new ArrayList<>();
    SlowReader reader = new SlowReader(400);

    new TopicEnd(of -> Map.of(P, 400L), PATIENCE, clocks)
        .read(reader, record -> offsets.add(record.offset()));

    assertThat(offsets).hasSize(400);
  }

  @Test
  void anOpenTransactionIsWaitedForNoLongerThanThat() {
    SlowReader reader = new SlowReader(5);

    assertThatThrownBy(
            () -> new TopicEnd(of -> Map.of(P, 6L), PATIENCE, clocks).read(reader, record -> {}))
        .isInstanceOf(TimeoutException.class);
  }

  /** Each poll takes 100 ms and brings one record, as long as there is one. */
  private final class SlowReader extends MockConsumer<String, byte[]> {
    private final int records;
    private int next;

    SlowReader(int records) {
      super("earliest");
      this.records = records;
      updateBeginningOffsets(Map.of(P, 0L));
      assign(Set.of(P));
      seekToBeginning(Set.of(P));
    }

    @Override
    public synchronized ConsumerRecords<String, byte[]> poll(Duration timeout) {
      clocks.advance(Duration.ofMillis(100));
      if (next < records) {
        addRecord(new ConsumerRecord<>(P.topic(), P.partition(), next++, "ebs", new byte[0]));
      }
      return super.poll(Duration.ZERO);
    }
  }
}
