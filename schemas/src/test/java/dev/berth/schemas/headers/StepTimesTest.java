package dev.berth.schemas.headers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The times of steps")
class StepTimesTest {
  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

  @Test
  @DisplayName("are headers of one length in UTC, in the order of the steps, and read as written")
  void areHeaders() {
    StepTimes times =
        StepTimes.NONE.with(Step.DISPATCHED, NOON.plusMillis(7)).with(Step.EVENT, NOON);

    assertThat(times.headers())
        .extracting(
            header -> header.key() + "=" + new String(header.value(), StandardCharsets.UTF_8))
        .containsExactly(
            "berth.at.event=2030-01-01T12:00:00.000Z",
            "berth.at.dispatched=2030-01-01T12:00:00.007Z");
    assertThat(StepTimes.of(times.headers())).isEqualTo(times);
  }

  @Test
  @DisplayName("pass over headers of others, and what is no time")
  void foreign() {
    Headers headers =
        new RecordHeaders()
            .add("traceparent", text("00-ab"))
            .add("berth.at.nowhere", text("2030-01-01T12:00:00.000Z"))
            .add(Step.DECIDED.header(), text("yesterday"))
            .add(Step.QUEUED.header(), text("9".repeat(1_000)))
            .add(Step.SETTLED.header(), null)
            .add(Step.ACCEPTED.header(), text("2030-01-01T12:00:00Z"));

    assertThat(StepTimes.of(headers)).isEqualTo(new StepTimes(Map.of(Step.ACCEPTED, NOON)));
  }

  @Test
  @DisplayName("keep the last time of a step, whoever says it")
  void theLast() {
    StepTimes first = StepTimes.NONE.with(Step.EVENT, NOON).with(Step.QUEUED, NOON);
    Instant later = NOON.plusSeconds(1);

    assertThat(first.with(StepTimes.NONE.with(Step.QUEUED, later)))
        .isEqualTo(StepTimes.NONE.with(Step.EVENT, NOON).with(Step.QUEUED, later));
    assertThat(first.between(Step.DECIDED, Step.ACCEPTED))
        .isEqualTo(StepTimes.NONE.with(Step.QUEUED, NOON));
  }

  private static byte[] text(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }
}
