package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The time of a record")
class RecordTimeTest {
  private final RecordTime time = new RecordTime();

  @Test
  @DisplayName("is the one it has")
  void own() {
    assertThat(time.extract(record(7_000), 9_000)).isEqualTo(7_000);
  }

  @Test
  @DisplayName("is that of the record before it when it has none or a negative one")
  void none() {
    assertThat(time.extract(record(ConsumerRecord.NO_TIMESTAMP), 9_000)).isEqualTo(9_000);
    assertThat(time.extract(record(-5_000), 9_000)).isEqualTo(9_000);
    assertThat(time.extract(record(-5_000), -1)).isZero();
  }

  private static ConsumerRecord<Object, Object> record(long timestamp) {
    return new ConsumerRecord<>(
        "nodes",
        0,
        0,
        timestamp,
        TimestampType.CREATE_TIME,
        0,
        0,
        "key",
        "value",
        new RecordHeaders(),
        Optional.empty());
  }
}
